package dev.berth.producers.feed;

import dev.berth.records.FeedPosition;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How far a feed has come in its lines. The fingerprint is that of all lines so far: a source that
 * has grown since goes on, one that has changed does not.
 */
final class Bookmark {

  private final FeedOptions options;
  private final Clock clock;
  private final Optional<FeedPosition> from;
  private final MessageDigest digest;
  private long line;
  private long events;
  private long rejected;

  Bookmark(FeedOptions options, Optional<FeedPosition> from, Clock clock) {
    this.options = options;
    this.clock = clock;
    this.from = from;
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
    from.ifPresent(
        position -> {
          events = position.getCounters().getOrDefault("events", 0L);
          rejected = position.getCounters().getOrDefault("rejected", 0L);
        });
  }

  /** Lines that earlier runs had come to (count). */
  long before() {
    return from.map(FeedPosition::getPosition).orElse(0L);
  }

  long line() {
    return line;
  }

  /**
   * The next line was read.
   *
   * @return whether it is new; otherwise an earlier run has dealt with it
   * @throws FeedException when the lines so far are not those that the earlier run had read
   */
  boolean read(byte[] bytes) {
    line++;
    if (options.feed().isPresent()) {
      digest.update(bytes);
      digest.update((byte) '\n');
    }
    if (line == before() && !fingerprint().equals(from.orElseThrow().getFingerprint())) {
      throw changed();
    }
    return line > before();
  }

  /** The input has ended. */
  void ended() {
    if (line < before()) {
      throw changed();
    }
  }

  void said() {
    events++;
  }

  /** The last event was refused after all. */
  void notSaid() {
    events--;
  }

  void rejected() {
    rejected++;
  }

  /** The position after the present line; empty when none is kept. */
  Optional<FeedPosition> position() {
    return options
        .feed()
        .map(
            feed ->
                new FeedPosition(
                    feed,
                    options.source(),
                    fingerprint(),
                    line,
                    List.of(),
                    Map.of("events", events, "rejected", rejected),
                    clock.instant().truncatedTo(ChronoUnit.MILLIS),
                    // The scheduler that writes it adds its id.
                    null));
  }

  private FeedException changed() {
    return new FeedException(
        "feed '%s' stands at line %d of %s, and its lines up to there have changed; give the same input as then, or another feed id"
            .formatted(options.feed().orElse(""), before(), options.source()));
  }

  private String fingerprint() {
    try {
      return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the digest of every Java can be copied", e);
    }
  }
}
