package dev.berth.ops.demo;

import dev.berth.driver.audit.CallAudit;
import dev.berth.driver.audit.Expectations;
import dev.berth.driver.audit.Finding;
import dev.berth.driver.calls.Call;
import dev.berth.driver.provider.Mount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Whether a run was right. Pure; believes neither the scheduler nor Berth alone, but holds what
 * each of them saw against the plugins' call log and the providers.
 */
public final class DemoCheck {

  private final DemoResult result;
  private final List<String> problems = new ArrayList<>();

  private DemoCheck(DemoResult result) {
    this.result = result;
  }

  /** What was wrong, with the evidence, a line each; empty when all was right. */
  public static List<String> problems(DemoResult result) {
    DemoCheck check = new DemoCheck(result);
    result.failure().ifPresent(failure -> check.problems.add("the run ended early: " + failure));
    check.claims();
    check.waits();
    check.calls();
    check.providers();
    check.topics();
    return List.copyOf(check.problems);
  }

  /** Every claim was answered, with yes, and its row is gone. */
  private void claims() {
    require(
        result.stories().size() == result.script().claims(),
        "%d claims were made, the script has %d"
            .formatted(result.stories().size(), result.script().claims()));
    for (ClaimStory story : result.stories()) {
      String claim = "claim of %s on %s".formatted(story.alloc(), story.volume().id());
      switch (story.answer()) {
        case NONE -> problems.add(claim + " was never answered");
        case REJECTED -> problems.add(claim + " was rejected");
        case GRANTED -> require(story.released(), claim + " was granted and never released");
      }
    }
  }

  /** Who was scripted to wait did wait: otherwise two held a volume that takes one. */
  private void waits() {
    Map<String, DemoAlloc> waiting =
        result.script().allocs().stream()
            .filter(DemoAlloc::waits)
            .collect(Collectors.toMap(DemoAlloc::id, alloc -> alloc));
    for (ClaimStory story : result.stories()) {
      DemoAlloc alloc = waiting.get(story.alloc());
      if (alloc != null && alloc.uses().get(0).volume().equals(story.volume())) {
        require(
            story.waited().isPresent(),
            "claim of %s on %s was not told to wait for %s"
                .formatted(story.alloc(), story.volume().id(), alloc.start().alloc().orElse("?")));
      }
    }
  }

  private void calls() {
    CallAudit.audit(result.calls(), result.providers(), Expectations.strict()).stream()
        .map(Finding::evidence)
        .forEach(problems::add);
    result.calls().stream()
        .filter(Call::isOpen)
        .map(call -> "a call was never answered: " + call.describe())
        .forEach(problems::add);
  }

  private void providers() {
    result
        .providers()
        .forEach(
            (plugin, provider) ->
                provider.mounts().stream()
                    .map(mount -> leftMounted(plugin, mount))
                    .forEach(problems::add));
  }

  private static String leftMounted(String plugin, Mount mount) {
    return "volume %s of plugin %s is still mounted on node %s"
        .formatted(mount.volume(), plugin, mount.node());
  }

  private void topics() {
    DemoResult.TopicFindings topics = result.topics();
    topics.claimsLeft().forEach(key -> problems.add("the claim table still holds " + key));
    topics.attachmentsLeft().forEach(key -> problems.add("the attachments still hold " + key));
    topics.stuck().forEach(key -> problems.add("the dead letters hold " + key));
    require(
        topics.rejected() == 0,
        "%d records were rejected as unreadable".formatted(topics.rejected()));
    int taken = topics.count("taken");
    int released = topics.count("released");
    require(
        taken == result.script().claims() && released == taken,
        "the history has %d claims taken and %d released, the script has %d"
            .formatted(taken, released, result.script().claims()));
  }

  private void require(boolean held, String problem) {
    if (!held) {
      problems.add(problem);
    }
  }
}
