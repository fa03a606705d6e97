package dev.berth.driver.audit;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.Rpc;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The order of the steps of one volume on one node: attach, stage, publish, unpublish, unstage,
 * detach. A step forward needs the OK of the one before it; a step back needs the OK of the
 * reversal of everything that may have been done after it.
 *
 * <p>What a plugin does after its caller has gone is not held against the caller.
 */
final class StepOrder {

  /**
   * What the plugin has as steps.
   *
   * @param attaches it has attach and detach
   * @param stages it has stage and unstage
   */
  record Steps(boolean attaches, boolean stages) {

    /** The steps that calls of this plugin show. */
    static Steps of(List<Call> ofPlugin) {
      return new Steps(has(ofPlugin, Rpc.CONTROLLER_PUBLISH), has(ofPlugin, Rpc.NODE_STAGE));
    }

    private static boolean has(List<Call> calls, Rpc rpc) {
      return calls.stream().anyMatch(call -> call.facts().rpc() == rpc);
    }
  }

  private final Steps steps;
  private final boolean lost;
  private final List<Finding> findings = new ArrayList<>();
  private boolean attached;
  private boolean staged;
  private boolean maybeStaged;
  private final Set<String> maybePublished = new HashSet<>();

  private StepOrder(Steps steps, boolean lost) {
    this.steps = steps;
    this.lost = lost;
  }

  /**
   * Checks the calls of one volume on one node.
   *
   * @param lost the node was fenced or lost: a detach needs no steps of the node
   */
  static List<Finding> check(List<Call> calls, Steps steps, boolean lost) {
    StepOrder order = new StepOrder(steps, lost);
    for (Moment moment : Moment.of(calls)) {
      switch (moment.kind()) {
        case START -> order.started(moment.call());
        case EFFECT -> order.affected(moment.call());
        case END -> order.ended(moment.call());
      }
    }
    return order.findings;
  }

  private void started(Call call) {
    switch (call.facts().rpc()) {
      case NODE_STAGE -> require(attached || !steps.attaches(), call, "stage before attach");
      case NODE_PUBLISH -> {
        if (steps.stages()) {
          require(staged, call, "publish before stage");
        } else {
          require(attached || !steps.attaches(), call, "publish before attach");
        }
      }
      case NODE_UNSTAGE -> {
        require(maybePublished.isEmpty(), call, "unstage before unpublish of " + maybePublished);
        staged = false;
      }
      case CONTROLLER_UNPUBLISH -> {
        require(
            lost || maybePublished.isEmpty(), call, "detach before unpublish of " + maybePublished);
        require(lost || !maybeStaged, call, "detach before unstage");
        attached = false;
      }
      default -> {
        // Attach and unpublish may come at any time.
      }
    }
  }

  private void affected(Call call) {
    boolean late = call.end().filter(end -> end.sequence() < sequence(call)).isPresent();
    if (late) {
      return;
    }
    switch (call.facts().rpc()) {
      case NODE_STAGE -> maybeStaged = true;
      case NODE_PUBLISH -> maybePublished.add(call.facts().path());
      default -> {
        // Only what may have to be undone counts before it is answered.
      }
    }
  }

  private void ended(Call call) {
    if (!call.isOk() && !isGone(call)) {
      return;
    }
    switch (call.facts().rpc()) {
      case CONTROLLER_PUBLISH -> attached = call.isOk();
      case NODE_STAGE -> staged = call.isOk();
      case NODE_UNPUBLISH -> maybePublished.remove(call.facts().path());
      case NODE_UNSTAGE -> maybeStaged = false;
      case CONTROLLER_UNPUBLISH -> forgetMounts();
      default -> {
        // Questions change nothing.
      }
    }
  }

  /** After a detach nothing of the node's work counts: it was undone, or the node was lost. */
  private void forgetMounts() {
    staged = false;
    maybeStaged = false;
    maybePublished.clear();
  }

  private void require(boolean held, Call call, String reason) {
    if (!held) {
      findings.add(new Finding.OutOfOrder(call, reason));
    }
  }

  private static long sequence(Call call) {
    return call.effect().map(Call.Effect::sequence).orElse(Long.MAX_VALUE);
  }

  private static boolean isGone(Call call) {
    return call.end().filter(end -> end.code() == Status.Code.NOT_FOUND).isPresent();
  }
}
