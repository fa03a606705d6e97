package dev.berth.schemas.topics;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** How long a topic keeps its records: by age, or the latest of each key for ever. */
public sealed interface Retention {

  /** Returns the topic settings that bring it about, by Kafka's names. */
  Map<String, String> configs();

  /** Returns it in words, for the documentation. */
  String inWords();

  /** Returns Kafka's {@code cleanup.policy}. */
  String cleanupPolicy();

  /**
   * Records are deleted once they have reached an age.
   *
   * @param age the age that every record reaches, at least
   */
  record ByAge(Duration age) implements Retention {

    /**
     * Kafka deletes by segment, so the oldest record outlives its age by as much as a segment
     * spans.
     */
    private static final Duration SEGMENT = Duration.ofDays(1);

    /** Returns the age that no record outlives by more than the broker's check interval. */
    public Duration longest() {
      return age.plus(SEGMENT);
    }

    @Override
    public String cleanupPolicy() {
      return "delete";
    }

    @Override
    public Map<String, String> configs() {
      return new TreeMap<>(
          Map.of(
              "cleanup.policy", cleanupPolicy(),
              "retention.ms", millis(age),
              "segment.ms", millis(SEGMENT)));
    }

    @Override
    public String inWords() {
      return "delete, " + age.toDays() + " d";
    }
  }

  /**
   * The latest record of each key stays; a tombstone removes the key.
   *
   * @param tombstones how long a tombstone stays, for readers that were away
   * @param history how long earlier records of a key stay readable, at least
   */
  record LatestPerKey(Duration tombstones, Duration history) implements Retention {

    /**
     * The segment being written is never compacted. Kafka's default of a week would make those who
     * read a table from its beginning read a week of changes.
     */
    private static final Duration SEGMENT = Duration.ofHours(1);

    @Override
    public String cleanupPolicy() {
      return "compact";
    }

    @Override
    public Map<String, String> configs() {
      return new TreeMap<>(
          Map.of(
              "cleanup.policy", cleanupPolicy(),
              "delete.retention.ms", millis(tombstones),
              "min.compaction.lag.ms", millis(history),
              "segment.ms", millis(SEGMENT)));
    }

    @Override
    public String inWords() {
      return history.isZero() ? "compact" : "compact, history for " + history.toDays() + " d";
    }
  }

  /** Deletes after so many days. */
  static Retention days(int days) {
    return new ByAge(Duration.ofDays(days));
  }

  /** Keeps the latest per key, as a table that anybody can read from its beginning. */
  static Retention table() {
    return new LatestPerKey(Duration.ofDays(1), Duration.ZERO);
  }

  /**
   * Keeps the latest per key, of input that Berth reads as it comes: a removal must still be there
   * after Berth was down for a week.
   */
  static Retention input() {
    return new LatestPerKey(Duration.ofDays(7), Duration.ZERO);
  }

  /** Keeps the latest per key, and all of a key's story for a week after its end. */
  static Retention story() {
    return new LatestPerKey(Duration.ofDays(7), Duration.ofDays(7));
  }

  /**
   * Keeps the latest per key, and all of a key's story for a day: so that nobody who reads it
   * within that time finds a part of it.
   */
  static Retention recent() {
    return new LatestPerKey(Duration.ofDays(1), Duration.ofDays(1));
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
