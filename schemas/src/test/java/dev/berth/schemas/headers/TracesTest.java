package dev.berth.schemas.headers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The traces in the headers of a record")
class TracesTest {
  private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final Trace ONE = new Trace(PARENT, "vendor=1,other=x:y");
  private static final Trace OTHER =
      new Trace("00-ffffffffffffffffffffffffffffffff-1111111111111111-00", "");

  @Test
  @DisplayName("are read as they were written, one for each call")
  void asWritten() {
    Traces traces = new Traces(List.of(ONE, Trace.NONE, OTHER, Trace.NONE));

    Headers headers = StepTimes.NONE.within(traces).headers();

    assertThat(headers)
        .extracting(
            header -> header.key() + "=" + new String(header.value(), StandardCharsets.US_ASCII))
        .containsExactly(
            "traceparent=" + PARENT,
            "tracestate=vendor=1,other=x:y",
            "traceparent.2=" + OTHER.parent());
    assertThat(StepTimes.of(headers)).isEqualTo(StepTimes.NONE.within(traces));
    assertThat(traces.at(2)).isEqualTo(OTHER);
    assertThat(traces.at(1)).isEqualTo(Trace.NONE);
    assertThat(traces.at(31)).isEqualTo(Trace.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n",
        "${file:/etc/secret:key}"
      })
  @DisplayName("are none where what stands there is none")
  void invalid(String parent) {
    Headers headers = new RecordHeaders().add(Trace.PARENT, bytes(parent));
    headers.add(Trace.STATE, bytes("vendor=1"));

    assertThat(Traces.of(headers)).isEqualTo(Traces.NONE);
    assertThat(StepTimes.of(headers)).isSameAs(StepTimes.NONE);
  }

  @Test
  @DisplayName("go on without a state that nobody can hand on, and pass over headers of others")
  void foreign() {
    Headers headers =
        new RecordHeaders()
            .add(Trace.PARENT, bytes(PARENT))
            .add(Trace.STATE, bytes("x".repeat(513)))
            .add("traceparent.x", bytes(PARENT))
            .add("traceparent.9999", bytes(PARENT))
            .add("traceparents", bytes(PARENT))
            .add("traceparent.1", null);

    assertThat(Traces.of(headers)).isEqualTo(Traces.of(new Trace(PARENT, "")));
  }

  @Test
  @DisplayName("stay with a record that meets the times of another, and come where there were none")
  void meet() {
    StepTimes own = StepTimes.NONE.within(Traces.of(ONE)).with(Step.EVENT, Instant.EPOCH);
    StepTimes others = StepTimes.NONE.within(Traces.of(OTHER)).with(Step.QUEUED, Instant.EPOCH);

    assertThat(own.with(others).traces()).isEqualTo(Traces.of(ONE));
    assertThat(StepTimes.NONE.with(others).traces()).isEqualTo(Traces.of(OTHER));
    assertThat(own.between(Step.QUEUED, Step.SETTLED).traces()).isEqualTo(Traces.of(ONE));
    assertThat(own.within(new Traces(List.of(ONE, OTHER))).ofCall(1).traces())
        .isEqualTo(Traces.of(OTHER));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
