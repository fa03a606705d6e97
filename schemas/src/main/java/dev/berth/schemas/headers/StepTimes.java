package dev.berth.schemas.headers;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * When the steps were that led to a record, one header each: {@code berth.at.dispatched:
 * 2030-01-01T00:00:00.000Z}. UTC with milliseconds, always of one length, so that a Kafka UI shows
 * them in columns and they sort as text.
 *
 * <p>They are there to be looked at and measured; nothing is decided by them. A step has one time,
 * its last, so they do not grow. Times of different machines are of different clocks.
 *
 * <p>With them goes the trace that the record belongs to, see {@link Traces}: on the same way, for
 * the same end.
 *
 * @param at the time of each step that is known
 * @param traces the traces that the record belongs to
 */
public record StepTimes(Map<Step, Instant> at, Traces traces) {

  /** Nothing is known. */
  public static final StepTimes NONE = new StepTimes(Map.of(), Traces.NONE);

  private static final DateTimeFormatter TEXT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** Longer than any text of ours (bytes). */
  private static final int LONGEST = 64;

  /** Keeps a copy. */
  public StepTimes {
    Map<Step, Instant> copy = new EnumMap<>(Step.class);
    copy.putAll(at);
    at = Collections.unmodifiableMap(copy);
  }

  /** Times of a record that belongs to no trace. */
  public StepTimes(Map<Step, Instant> at) {
    this(at, Traces.NONE);
  }

  /** Reads them from the headers of a record. What is no time is passed over, as is all else. */
  public static StepTimes of(Headers headers) {
    Map<Step, Instant> at = new EnumMap<>(Step.class);
    for (Header header : headers) {
      byte[] value = header.value();
      if (value != null && value.length <= LONGEST) {
        Step.of(header.key()).ifPresent(step -> put(at, step, value));
      }
    }
    Traces traces = Traces.of(headers);
    return at.isEmpty() && traces.equals(Traces.NONE) ? NONE : new StepTimes(at, traces);
  }

  private static void put(Map<Step, Instant> at, Step step, byte[] value) {
    try {
      at.put(step, Instant.parse(new String(value, StandardCharsets.UTF_8)));
    } catch (DateTimeException foreign) {
      // Somebody else's header of this name. It is worth no more than that it is not there.
      at.remove(step);
    }
  }

  /** Returns them with the time of one more step, or with its last time. */
  public StepTimes with(Step step, Instant when) {
    Map<Step, Instant> more = new EnumMap<>(Step.class);
    more.putAll(at);
    more.put(step, when);
    return new StepTimes(more, traces);
  }

  /**
   * Returns them with all that others say; where both know a step, what the others say counts. A
   * record that belongs to a trace goes on belonging to it.
   */
  public StepTimes with(StepTimes others) {
    Map<Step, Instant> all = new EnumMap<>(Step.class);
    all.putAll(at);
    all.putAll(others.at);
    return new StepTimes(all, traces.equals(Traces.NONE) ? others.traces : traces);
  }

  /** Returns those from one step to another, both included. */
  public StepTimes between(Step first, Step last) {
    Map<Step, Instant> some = new EnumMap<>(Step.class);
    at.forEach(
        (step, when) -> {
          if (step.compareTo(first) >= 0 && step.compareTo(last) <= 0) {
            some.put(step, when);
          }
        });
    return new StepTimes(some, traces);
  }

  /** Returns the times with other traces. */
  public StepTimes within(Traces others) {
    return new StepTimes(at, others);
  }

  /** Returns them as one call of the record has them. */
  public StepTimes ofCall(int call) {
    return within(Traces.of(traces.at(call)));
  }

  /** Returns new headers that say them. */
  public Headers headers() {
    RecordHeaders headers = new RecordHeaders();
    at.forEach(
        (step, when) ->
            headers.add(step.header(), TEXT.format(when).getBytes(StandardCharsets.UTF_8)));
    traces.addTo(headers);
    return headers;
  }
}
