package dev.berth.streams.app;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;
import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A stream thread that failed")
class ThreadFailuresTest {
  private final List<Duration> pauses = new ArrayList<>();
  private final ManualClock clock = new ManualClock();
  private final ThreadFailures failures =
      new ThreadFailures(clock, time -> pauses.add(time), () -> false);

  static Stream<Arguments> faults() {
    return Stream.of(
        Arguments.of(new StreamsException(new TimeoutException("late")), Fault.OUTAGE),
        Arguments.of(new IllegalStateException("a bug"), Fault.UNKNOWN),
        Arguments.of(new StreamsException("no cause"), Fault.UNKNOWN),
        Arguments.of(new TopicAuthorizationException("t"), Fault.NO_PERMISSION),
        Arguments.of(
            new StreamsException(new SaslAuthenticationException("who")), Fault.NO_PERMISSION),
        Arguments.of(new MissingSourceTopicException("gone"), Fault.TOPIC_MISSED),
        Arguments.of(new InvalidTopicException("odd"), Fault.TOPICS),
        Arguments.of(new UnsupportedVersionException("old"), Fault.INCOMPATIBLE),
        Arguments.of(new OutOfMemoryError("heap"), Fault.MACHINE));
  }

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource("faults")
  @DisplayName("is judged by the first cause that is known")
  void fault(Throwable failure, Fault expected) {
    assertThat(Fault.of(failure)).isEqualTo(expected);
  }

  @Test
  @DisplayName("is replaced after an outage")
  void replaced() {
    assertThat(failures.handle(new TimeoutException("late"))).isEqualTo(REPLACE_THREAD);
    assertThat(failures.fatal()).isEmpty();
  }

  @Test
  @DisplayName("ends the application when no try can succeed, with the remedy")
  void fatal() {
    assertThat(failures.handle(new InvalidTopicException("odd"))).isEqualTo(SHUTDOWN_CLIENT);
    assertThat(failures.fatal())
        .contains(
            "TOPICS: org.apache.kafka.common.errors.InvalidTopicException: odd; provision the topics"
                + " and start again");
    assertThat(pauses).isEmpty();
  }

  @Test
  @DisplayName("that missed a topic is replaced while the brokers have it, and ends it otherwise")
  void topicMissed() {
    MissingSourceTopicException missed = new MissingSourceTopicException("nodes");
    ThreadFailures deleted = new ThreadFailures(clock, pauses::add, () -> true);

    assertThat(failures.handle(missed)).isEqualTo(REPLACE_THREAD);
    assertThat(failures.fatal()).isEmpty();
    assertThat(deleted.handle(missed)).isEqualTo(SHUTDOWN_CLIENT);
    assertThat(deleted.fatal())
        .contains("TOPICS: " + missed + "; provision the topics and start again");
  }

  @Test
  @DisplayName("is replaced ever more slowly while failures go on, and at once after calm")
  void pauses() {
    for (int i = 0; i < 7; i++) {
      failures.handle(new TimeoutException("late"));
      clock.now = clock.now.plusSeconds(10);
    }
    clock.now = clock.now.plusSeconds(90);
    failures.handle(new TimeoutException("late"));

    assertThat(pauses)
        .extracting(Duration::toMillis)
        .containsExactly(500L, 1000L, 2000L, 4000L, 8000L, 10000L, 10000L, 500L);
  }

  /** A clock that stands until it is moved. */
  private static final class ManualClock extends Clock {
    private Instant now = Instant.EPOCH;

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
