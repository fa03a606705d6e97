package dev.berth.streams.topology;

import dev.berth.schemas.headers.Step;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.headers.Traces;
import dev.berth.schemas.topics.Topic;
import java.time.Instant;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * The times of steps that records of the claims say in their headers. An event or a command begins
 * the way; a settlement goes on with it.
 */
final class ClaimTimes {
  private ClaimTimes() {}

  /**
   * What a record says that is to be decided. Times of those outside are not believed: the
   * timestamp of what they wrote is the event's time. Their trace is.
   *
   * @param source topic it comes from
   */
  static StepTimes of(@Nullable Topic source, Record<String, byte[]> record) {
    return source == Topic.SETTLEMENTS
        ? StepTimes.of(record.headers())
        : StepTimes.NONE
            .within(Traces.of(record.headers()))
            .with(Step.EVENT, Instant.ofEpochMilli(record.timestamp()));
  }

  /**
   * What a record of a decision says.
   *
   * @param topic topic it goes to
   * @param cause what the record that was decided says
   * @param now when it was decided
   */
  static StepTimes on(Topic topic, StepTimes cause, Instant now) {
    return switch (topic) {
      // A call's own steps are yet to come, also when this call follows another.
      case LANE_REQUESTS -> cause.between(Step.EVENT, Step.EVENT).with(Step.DECIDED, now);
      case CLAIM_REPLIES, CLAIMS ->
          StepTimes.NONE.with(Step.DECIDED, now).with(cause).with(Step.WRITTEN, now);
      default -> StepTimes.NONE.within(cause.traces());
    };
  }
}
