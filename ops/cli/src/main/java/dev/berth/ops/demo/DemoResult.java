package dev.berth.ops.demo;

import dev.berth.driver.calls.Call;
import dev.berth.driver.provider.ProviderSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that was seen of a run, each thing where it was done: at the scheduler, at the
 * plugins, at the providers and on the topics.
 *
 * @param script what was to be done
 * @param failure what ended the run early; empty when it came to its end
 * @param stories the claims as their scheduler saw them
 * @param calls the plugins' log
 * @param providers by plugin, as they are at the end
 * @param topics what Berth has written
 * @param timing how long it took
 */
public record DemoResult(
    DemoScript script,
    Optional<String> failure,
    List<ClaimStory> stories,
    List<Call> calls,
    Map<String, ProviderSnapshot> providers,
    TopicFindings topics,
    Timing timing) {

  /** Copies its collections. */
  public DemoResult {
    stories = List.copyOf(stories);
    calls = List.copyOf(calls);
    providers = Map.copyOf(providers);
  }

  /**
   * What Berth has written, read at the end.
   *
   * @param happenings how often each thing happened, by its name in {@code claim-history}
   * @param claimsLeft keys of claim rows that are still there
   * @param attachmentsLeft keys of attachments that are still there
   * @param stuck keys of claims with an unresolved dead letter
   * @param rejected records on {@code rejected-records} (count)
   */
  public record TopicFindings(
      Map<String, Integer> happenings,
      List<String> claimsLeft,
      List<String> attachmentsLeft,
      List<String> stuck,
      int rejected) {

    /** Copies its collections. */
    public TopicFindings {
      happenings = Map.copyOf(happenings);
      claimsLeft = List.copyOf(claimsLeft);
      attachmentsLeft = List.copyOf(attachmentsLeft);
      stuck = List.copyOf(stuck);
    }

    /** How often something happened (count). */
    public int count(String happening) {
      return happenings.getOrDefault(happening, 0);
    }
  }

  /**
   * How long it took.
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
