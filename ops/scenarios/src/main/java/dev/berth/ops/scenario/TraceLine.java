package dev.berth.ops.scenario;

import java.time.Duration;

/**
 * A line of a trace: something that came to the world, or what followed from that.
 *
 * @param since virtual time since the begin of the scenario
 * @param kind what it is
 * @param topic the topic it was read from or written to; empty when it is no record
 * @param key key of the record; empty when it has none
 * @param text what it says
 */
public record TraceLine(Duration since, Kind kind, String topic, String key, String text) {

  /** What a line tells. What no cause is followed from the nearest cause above it. */
  public enum Kind {
    /** A record that came in. */
    EVENT(true),
    /** The clock moved on. */
    TIME(true),
    /** A plugin answered, or was given up. */
    ANSWER(true),
    /** Something done to the processes. */
    STEP(true),
    /** A decision about a volume. */
    DECISION(false),
    /** A record that went out or to another processor. */
    EFFECT(false),
    /** A plugin was called. */
    RPC(false),
    /** Something was left out above. */
    EARLIER(false);

    private final boolean cause;

    Kind(boolean cause) {
      this.cause = cause;
    }

    /** Whether others follow from it. */
    public boolean isCause() {
      return cause;
    }

    /** Its name in texts. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** The virtual time as people read it: {@code +12.3s}. */
  public String time() {
    return Durations.since(since);
  }

  /** The line as people read it. */
  @Override
  public String toString() {
    String record = topic.isEmpty() ? "" : topic + (key.isEmpty() ? "" : " " + key) + ": ";
    return kind.isCause()
        ? "%-8s %-6s %s%s".formatted(time(), kind.word(), record, text)
        : "%-8s   %-8s %s%s".formatted("", kind.word(), record, text);
  }
}
