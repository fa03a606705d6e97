package dev.berth.ops.demo;

import dev.berth.driver.audit.CallAudit;
import dev.berth.driver.audit.Expectations;
import dev.berth.driver.audit.Finding;
import dev.berth.driver.calls.Call;
import dev.berth.driver.provider.Mount;
import dev.berth.ops.demo.ClaimStory.ClaimId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether a run was right. Pure; believes neither the plan nor Berth alone, but holds what each of
 * them says against the plugins' call log and the providers.
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
    check.kills();
    check.claims();
    check.calls();
    check.providers();
    check.topics();
    return List.copyOf(check.problems);
  }

  /** A run that was killed less often than asked has not shown what it was to show. */
  private void kills() {
    require(
        result.killsDone() >= result.killsAsked(),
        "only %d of %d kills were done: a life ended before its kill"
            .formatted(result.killsDone(), result.killsAsked()));
  }

  /**
   * The claims of the plan, and no others, were made, and each was granted and released: the plan
   * has none that Berth should reject.
   */
  private void claims() {
    Set<ClaimId> missing = new HashSet<>(PlannedClaims.of(result.plan()));
    for (ClaimStory story : result.topics().stories()) {
      String claim = "claim of " + story.claim();
      require(missing.remove(story.claim()), claim + " is not in the plan");
      require(story.isWhole(), claim + " " + ending(story));
    }
    missing.stream()
        .map(ClaimId::toString)
        .sorted()
        .forEach(claim -> problems.add("claim of %s was never made".formatted(claim)));
  }

  private static String ending(ClaimStory story) {
    return switch (story.answer()) {
      case NONE -> "was never answered";
      case GRANTED ->
          "was granted, taken %d times and released %d times"
              .formatted(story.taken(), story.released());
      case REJECTED ->
          "was rejected (%s), taken %d times and released %d times"
              .formatted(
                  story.reason().isEmpty() ? "without a reason" : story.reason(),
                  story.taken(),
                  story.released());
    };
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
    problems.addAll(topics.overlaps());
    topics.claimsLeft().forEach(key -> problems.add("the claim table still holds " + key));
    topics.attachmentsLeft().forEach(key -> problems.add("the attachments still hold " + key));
    topics.stuck().forEach(claim -> problems.add("the dead letters hold " + claim));
    problems.addAll(topics.notAtRest());
    require(topics.rejected() == 0, topics.rejected() + " records were rejected as unreadable");
  }

  private void require(boolean held, String problem) {
    if (!held) {
      problems.add(problem);
    }
  }

  /** The problems of a kind of many are told as so many and the first of them. */
  static List<String> shortened(List<String> problems, int most) {
    if (problems.size() <= most) {
      return problems;
    }
    return problems.stream()
        .limit(most)
        .collect(
            Collectors.collectingAndThen(
                Collectors.toList(),
                first -> {
                  first.add("and %d more; -o json names all".formatted(problems.size() - most));
                  return first;
                }));
  }
}
