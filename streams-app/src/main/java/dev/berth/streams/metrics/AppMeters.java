package dev.berth.streams.metrics;

import dev.berth.streams.topology.TopologyContext;
import dev.berth.telemetry.Meters;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters of the Streams application: those of Kafka Streams and its clients, with the sensors
 * of our processors among them, and what a {@link Survey} of the tables says. No stream thread
 * waits for any of it.
 */
public final class AppMeters implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AppMeters.class);

  /** New threads and tasks have meters within this time. */
  private static final Duration REFRESH = Duration.ofSeconds(10);

  /** Between two looks at the tables, where they are small. */
  private static final Duration PAUSE = Duration.ofSeconds(10);

  /** Where they are large: a look may take a tenth of one core, and no more. */
  private static final int REST = 9;

  private static final Duration TO_CLOSE = Duration.ofSeconds(5);

  private final Survey survey;
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread made = new Thread(task, "meters");
            made.setDaemon(true);
            return made;
          });
  private final KafkaStreamsMetrics kafka;

  private AppMeters(Survey survey, KafkaStreams streams) {
    this.survey = survey;
    // Or whoever closes would wait for the time of the next look.
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.kafka = new KafkaStreamsMetrics(streams, Tags.empty(), thread, REFRESH);
  }

  /**
   * Begins to look at an application, before it is started.
   *
   * @param context what its topology was built for
   * @param applicationId its id
   */
  public static AppMeters of(
      Meters meters, KafkaStreams streams, TopologyContext context, String applicationId) {
    Survey survey =
        new Survey(
            new LocalTables(streams, context, applicationId), meters.registry(), Clock.systemUTC());
    AppMeters made = new AppMeters(survey, streams);
    meters.bind(made.kafka);
    made.after(Duration.ofSeconds(1));
    return made;
  }

  private void after(Duration pause) {
    try {
      ScheduledFuture<?> unused =
          thread.schedule(this::lookAndAgain, pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("closing, no further look");
    }
  }

  private void lookAndAgain() {
    Duration pause = PAUSE;
    try {
      Duration rest = survey.look(() -> !thread.isShutdown()).multipliedBy(REST);
      pause = rest.compareTo(PAUSE) > 0 ? rest : PAUSE;
    } catch (RuntimeException e) {
      // Partitions move, or the application ends; the next look finds what is here then.
      LOG.debug("tables could not be counted", e);
    }
    after(pause);
  }

  /** Ends before the stores are closed. */
  @Override
  public void close() {
    kafka.close();
    thread.shutdown();
    try {
      if (!thread.awaitTermination(TO_CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("counting tables has not ended after {}", TO_CLOSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
