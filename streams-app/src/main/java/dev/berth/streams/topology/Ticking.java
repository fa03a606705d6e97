package dev.berth.streams.topology;

import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a processor. Kafka Streams opens a task anew after a transaction of unknown end (a
 * commit that timed out, for one) with the same processors, and the punctuations of its earlier
 * life go on beside the new ones (4.4.0): they would decide by what that life had in memory, and
 * write over what happened since. So each life ends its own.
 */
final class Ticking {
  private @Nullable Cancellable scheduled;

  /** Ticks from now on, the first time at once; a life before ticks no more. */
  void begin(ProcessorContext<?, ?> context, Duration every, Runnable tick) {
    end();
    scheduled =
        context.schedule(
            Instant.ofEpochMilli(context.currentSystemTimeMs()),
            every,
            PunctuationType.WALL_CLOCK_TIME,
            at -> tick.run());
  }

  /** Ticks no more. */
  void end() {
    if (scheduled != null) {
      scheduled.cancel();
      scheduled = null;
    }
  }
}
