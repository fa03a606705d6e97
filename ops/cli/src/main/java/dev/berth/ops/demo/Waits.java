package dev.berth.ops.demo;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * How long claims waited from the asking until the grant.
 *
 * @param waited claims that were told to wait (count)
 * @param half half of the grants came within this
 * @param ninetyNine 99 of 100 did
 * @param most the longest
 * @param longest those that waited longest, the longest first
 */
public record Waits(
    int waited, Duration half, Duration ninetyNine, Duration most, List<ClaimStory> longest) {

  private static final int MOST_NAMED = 10;

  /** Copies its list. */
  public Waits {
    longest = List.copyOf(longest);
  }

  /** Those of the claims that were granted. */
  static Waits of(List<ClaimStory> stories) {
    List<ClaimStory> granted =
        stories.stream()
            .filter(story -> story.answer() == ClaimStory.Answer.GRANTED)
            .sorted(Comparator.comparing(Waits::length))
            .toList();
    List<ClaimStory> longest =
        granted.stream()
            .sorted(Comparator.comparing(Waits::length).reversed())
            .limit(MOST_NAMED)
            .toList();
    return new Waits(
        (int) stories.stream().filter(story -> story.waited().isPresent()).count(),
        percentile(granted, 50),
        percentile(granted, 99),
        percentile(granted, 100),
        longest);
  }

  /** The smallest wait that so many percent of the claims do not exceed. */
  private static Duration percentile(List<ClaimStory> sorted, int percent) {
    int place = (sorted.size() * percent + 99) / 100 - 1;
    return sorted.isEmpty() ? Duration.ZERO : length(sorted.get(Math.max(0, place)));
  }

  /** Why a claim waited, for people. */
  static String reason(ClaimStory story) {
    return story.waited().orElse("its attach was in the lane");
  }

  static Duration length(ClaimStory story) {
    return story.untilAnswer().orElse(Duration.ZERO);
  }
}
