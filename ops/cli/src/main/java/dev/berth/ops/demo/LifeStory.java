package dev.berth.ops.demo;

import dev.berth.ops.lives.Life;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A life of a run that was killed and started again.
 *
 * @param life when it began and how it was killed
 * @param untilFirstDecision from its start to the first decision about a claim; empty when it made
 *     none
 */
public record LifeStory(Life life, Optional<Duration> untilFirstDecision) {

  /**
   * The stories of lives that followed each other.
   *
   * @param decisions when decisions were made, in any order
   */
  static List<LifeStory> of(List<Life> lives, List<Instant> decisions) {
    return lives.stream()
        .map(
            life ->
                new LifeStory(
                    life,
                    decisions.stream()
                        .filter(at -> isOf(life, at))
                        .min(Instant::compareTo)
                        .map(at -> Duration.between(life.startedAt(), at))))
        .toList();
  }

  private static boolean isOf(Life life, Instant at) {
    return !at.isBefore(life.startedAt())
        && life.killed().map(kill -> !at.isAfter(kill.at())).orElse(true);
  }
}
