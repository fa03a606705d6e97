package dev.berth.bench.table;

import dev.berth.schemas.topics.Topic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** What processors do with each record that they are given. For one thread. */
final class Tape {
  private final List<Step> steps = new ArrayList<>();
  private final Deque<Step> open = new ArrayDeque<>();

  /** Kinds of touches. */
  enum Kind {
    /** A row was asked for. */
    GET,
    /** Rows were gone through. */
    RANGE,
    /** A row was written, or removed. */
    PUT,
    /** A record was sent. */
    FORWARD
  }

  /**
   * Something done to a store or a topic.
   *
   * @param kind what
   * @param key key of the row or the record; where a range begins
   * @param to where a range ends; null for the others
   * @param taken rows that were taken of a range (count)
   * @param value what was written or sent; null for none and for a removal
   * @param sink the sink that it was sent to; null for the others
   * @param headers headers that were sent; null for the others
   */
  // Taped and played: nobody compares it.
  @SuppressWarnings("ArrayRecordComponent")
  record Touch(
      Kind kind,
      String key,
      @Nullable String to,
      int taken,
      byte @Nullable [] value,
      @Nullable String sink,
      @Nullable Headers headers) {}

  /**
   * What a processor did with a record.
   *
   * @param processor its name, which is that of its store too
   * @param source topic of the record
   * @param value the record's value
   * @param touches what it did, in this order
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Step(String processor, Topic source, byte[] value, List<Touch> touches) {}

  void begin(String processor, Topic source, byte[] value) {
    open.push(new Step(processor, source, value, new ArrayList<>()));
  }

  void end() {
    steps.add(open.pop());
  }

  /** Notes a touch; one of no record's, such as of a clock, is not noted. */
  void add(Touch touch) {
    if (!open.isEmpty()) {
      open.element().touches().add(touch);
    }
  }

  /** What was taped since the last time, in the order of its end. */
  List<Step> take() {
    List<Step> taken = List.copyOf(steps);
    steps.clear();
    return taken;
  }
}
