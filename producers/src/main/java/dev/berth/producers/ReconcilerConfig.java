package dev.berth.producers;

import java.time.Duration;

/**
 * How claims are held against the list of live allocs. Start with {@link #usual} and change what
 * differs.
 *
 * @param readTimeout how long the claim table may take to read, at least a second
 * @param emptyListAllowed whether a list without any alloc is believed while the scheduler has live
 *     claims. It would end them all, and a list that failed looks the same
 */
public record ReconcilerConfig(Duration readTimeout, boolean emptyListAllowed) {

  private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(1);

  /**
   * Checks the timeout.
   *
   * @throws IllegalArgumentException naming field, value and remedy
   */
  public ReconcilerConfig {
    if (readTimeout.compareTo(SHORTEST_TIMEOUT) < 0) {
      throw new IllegalArgumentException(
          "readTimeout %s is too short: give at least %s".formatted(readTimeout, SHORTEST_TIMEOUT));
    }
  }

  /** The usual settings: two minutes to read, an empty list is not believed. */
  public static ReconcilerConfig usual() {
    return new ReconcilerConfig(Duration.ofMinutes(2), false);
  }

  /** The same with another time to read. */
  public ReconcilerConfig withReadTimeout(Duration duration) {
    return new ReconcilerConfig(duration, emptyListAllowed);
  }

  /** The same, but an empty list is believed: for a scheduler that may have no alloc at all. */
  public ReconcilerConfig withEmptyListAllowed() {
    return new ReconcilerConfig(readTimeout, true);
  }
}
