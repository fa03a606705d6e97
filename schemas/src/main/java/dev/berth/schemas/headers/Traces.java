package dev.berth.schemas.headers;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The traces that a record belongs to. Most records belong to one, in the headers {@code
 * traceparent} and {@code tracestate}. A run of calls belongs to that of each of its calls: those
 * behind the first have the headers {@code traceparent.1}, {@code tracestate.1} and so on.
 *
 * @param byCall the trace of each call, in order, without those at the end that have none
 */
public record Traces(List<Trace> byCall) {

  /** No trace. */
  public static final Traces NONE = new Traces(List.of());

  /**
   * More than a run has calls (count); somebody else's headers must not make a list of any size.
   */
  private static final int MOST = 100;

  /** Keeps a copy, in its one form. */
  public Traces {
    List<Trace> kept = new ArrayList<>(byCall);
    while (!kept.isEmpty() && kept.get(kept.size() - 1).isNone()) {
      kept.remove(kept.size() - 1);
    }
    byCall = List.copyOf(kept);
  }

  /** The one trace of a record. */
  public static Traces of(Trace trace) {
    return trace.isNone() ? NONE : new Traces(List.of(trace));
  }

  /** Reads them from the headers of a record. What is no trace is passed over. */
  public static Traces of(Headers headers) {
    List<String> parents = new ArrayList<>();
    List<String> states = new ArrayList<>();
    for (Header header : headers) {
      if (header.value() != null) {
        collect(header, Trace.PARENT, parents);
        collect(header, Trace.STATE, states);
      }
    }
    List<Trace> traces = new ArrayList<>();
    for (int call = 0; call < parents.size(); call++) {
      traces.add(Trace.of(parents.get(call), call < states.size() ? states.get(call) : ""));
    }
    return traces.isEmpty() ? NONE : new Traces(traces);
  }

  private static void collect(Header header, String key, List<String> values) {
    if (!header.key().startsWith(key)) {
      return;
    }
    int call = call(header.key().substring(key.length()));
    if (call >= 0 && call < MOST) {
      while (values.size() <= call) {
        values.add("");
      }
      values.set(call, new String(header.value(), StandardCharsets.US_ASCII));
    }
  }

  /** Of the end of a key; less than none when it is somebody else's. */
  private static int call(String end) {
    if (end.isEmpty()) {
      return 0;
    }
    try {
      return end.startsWith(".") && end.length() <= 3 ? Integer.parseInt(end.substring(1)) : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Returns the trace of the record, or of its first call. */
  public Trace first() {
    return at(0);
  }

  /** Returns the trace of a call; none where it has none. */
  public Trace at(int call) {
    return call < byCall.size() ? byCall.get(call) : Trace.NONE;
  }

  /** Adds the headers that say them. */
  void addTo(Headers headers) {
    for (int call = 0; call < byCall.size(); call++) {
      Trace trace = byCall.get(call);
      String end = call == 0 ? "" : "." + call;
      add(headers, Trace.PARENT + end, trace.parent());
      add(headers, Trace.STATE + end, trace.state());
    }
  }

  private static void add(Headers headers, String key, String value) {
    if (!value.isEmpty()) {
      headers.add(key, value.getBytes(StandardCharsets.US_ASCII));
    }
  }
}
