package dev.berth.driver.audit;

import dev.berth.driver.calls.Call;
import dev.berth.driver.provider.Attachment;
import java.util.List;
import java.util.stream.Collectors;

/** Something that a well-behaved caller does not do. */
public sealed interface Finding {

  /** What was seen, in a line that names the calls. */
  String evidence();

  /**
   * More controller calls of one scope were open together than allowed.
   *
   * @param scope for example {@code plugin ebs}
   * @param limit how many may be
   * @param calls those that were, the one that was too many last
   */
  record TooManyOpen(String scope, int limit, List<Call> calls) implements Finding {
    public TooManyOpen {
      calls = List.copyOf(calls);
    }

    @Override
    public String evidence() {
      return "%d controller calls of %s were open together, allowed are %d: %s"
          .formatted(calls.size(), scope, limit, describe(calls));
    }
  }

  /**
   * A single-node volume was attached to a second node without a detach that was answered OK.
   *
   * @param before the last attach to the first node
   * @param after the attach to the second
   */
  record NotReleased(Call before, Call after) implements Finding {
    @Override
    public String evidence() {
      return "no OK detach between the attaches of a single-node volume to two nodes: %s"
          .formatted(describe(List.of(before, after)));
    }
  }

  /** A volume is attached when nothing should be. */
  record LeftAttached(String plugin, Attachment attachment) implements Finding {
    @Override
    public String evidence() {
      return "volume %s of plugin %s is still attached to node %s"
          .formatted(attachment.volume(), plugin, attachment.node());
    }
  }

  /** A controller call came without a node; as a detach it means every node. */
  record WithoutNode(Call call) implements Finding {
    @Override
    public String evidence() {
      return "a controller call names no node: " + call.describe();
    }
  }

  /**
   * A step came before the one that it needs.
   *
   * @param reason what was missing
   */
  record OutOfOrder(Call call, String reason) implements Finding {
    @Override
    public String evidence() {
      return "%s: %s".formatted(reason, call.describe());
    }
  }

  private static String describe(List<Call> calls) {
    return calls.stream().map(Call::describe).collect(Collectors.joining(", "));
  }
}
