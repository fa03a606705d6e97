package dev.berth.ops.demo;

import dev.berth.driver.calls.Call;
import dev.berth.driver.provider.ProviderSnapshot;
import dev.berth.producers.trace.TracePlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that was seen of a run, each thing where it was done: at the plugins, at the providers
 * and on the topics.
 *
 * @param plan what was to be done
 * @param failure what ended the run early; empty when it came to its end
 * @param calls the plugins' log, of all lives
 * @param providers by plugin, as they are at the end
 * @param topics what schedulers and Berth have written
 * @param killsAsked how often it was to be killed (count); 0 when nobody asked for that
 * @param lives the processes it took, where it was killed in between; else empty
 * @param timing how long it took
 */
public record DemoResult(
    TracePlan plan,
    Optional<String> failure,
    List<Call> calls,
    Map<String, ProviderSnapshot> providers,
    TopicFindings topics,
    int killsAsked,
    List<LifeStory> lives,
    Timing timing) {

  /** Copies its collections. */
  public DemoResult {
    calls = List.copyOf(calls);
    providers = Map.copyOf(providers);
    lives = List.copyOf(lives);
  }

  /** How often it was killed (count). */
  int killsDone() {
    return (int) lives.stream().filter(story -> story.life().killed().isPresent()).count();
  }

  /**
   * What is on the topics, read at the end.
   *
   * @param stories the claims
   * @param allocEvents events that were written for allocs (count)
   * @param happenings how often each thing happened, by its name in {@code claim-history}
   * @param overlaps where two held what takes one, a line each
   * @param lastDecision when the last decision about a claim was made; empty when none was
   * @param claimsLeft keys of claim rows that are still there
   * @param attachmentsLeft keys of attachments that are still there
   * @param stuck claims with an unresolved dead letter, a line each
   * @param rejected records on {@code rejected-records} (count)
   * @param notAtRest volumes that are not as they were registered, and lanes that are not empty, a
   *     line each
   */
  public record TopicFindings(
      List<ClaimStory> stories,
      int allocEvents,
      Map<String, Integer> happenings,
      List<String> overlaps,
      Optional<Instant> lastDecision,
      List<String> claimsLeft,
      List<String> attachmentsLeft,
      List<String> stuck,
      int rejected,
      List<String> notAtRest) {

    /** Copies its collections. */
    public TopicFindings {
      stories = List.copyOf(stories);
      happenings = Map.copyOf(happenings);
      overlaps = List.copyOf(overlaps);
      claimsLeft = List.copyOf(claimsLeft);
      attachmentsLeft = List.copyOf(attachmentsLeft);
      stuck = List.copyOf(stuck);
      notAtRest = List.copyOf(notAtRest);
    }

    /** From a moment until the first grant after it; empty when none was. */
    Optional<Duration> firstGrantAfter(Instant moment) {
      return stories.stream()
          .filter(story -> story.answer() == ClaimStory.Answer.GRANTED)
          .flatMap(story -> story.answeredAt().stream())
          .filter(at -> !at.isBefore(moment))
          .min(Instant::compareTo)
          .map(at -> Duration.between(moment, at));
    }

    /** How often something happened (count). */
    public int count(String happening) {
      return happenings.getOrDefault(happening, 0);
    }
  }

  /**
   * How long it took; of the last process, where there were several.
   *
   * @param untilReady from the start of the JVM until the stack took claims
   * @param untilFirstGrant from the start of the JVM until the first claim was granted; empty when
   *     none was
   * @param run from the first claim until the last one was released
   * @param peakMemoryKb most memory that was resident (KiB); empty where the system does not tell
   */
  public record Timing(
      Duration untilReady,
      Optional<Duration> untilFirstGrant,
      Duration run,
      Optional<Long> peakMemoryKb) {}
}
