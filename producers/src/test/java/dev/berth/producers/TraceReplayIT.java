package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.producers.trace.Replay;
import dev.berth.producers.trace.ReplayOptions;
import dev.berth.producers.trace.ReplayResult;
import dev.berth.producers.trace.Trace;
import dev.berth.producers.trace.TracePlan;
import dev.berth.producers.trace.TracePlugins;
import dev.berth.producers.trace.TraceVolume;
import dev.berth.producers.trace.Workload;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.ClientStatus;
import dev.berth.records.FeedPosition;
import dev.berth.schemas.topics.Topic;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedStack.Extension.class)
class TraceReplayIT {

  private static final TracePlan PLAN = TracePlan.of(Trace.sample(), TracePlugins.usual());
  private static final ReplayOptions OPTIONS =
      ReplayOptions.of("sample").withPatience(Duration.ofSeconds(60));

  private final Connection connection;

  TraceReplayIT(EmbeddedStack stack) {
    this.connection = stack.connection();
  }

  /** Ends a run in its middle, as the end of its process would. */
  private static final class Ended extends RuntimeException {}

  @Test
  void aReplayGoesOnWhereTheLastOneWasEnded() throws Exception {
    ReplayResult last;
    try (ClaimsStub berth = new ClaimsStub(connection, TraceVolume.NAMESPACE)) {
      // A run that ends leaves many behind whose ends are written and not yet told to it.
      assertThatThrownBy(() -> replay(20)).isInstanceOf(Ended.class);
      assertThatThrownBy(() -> replay(20)).isInstanceOf(Ended.class);
      last = replay(Integer.MAX_VALUE);
    }

    assertThat(last.before()).isGreaterThanOrEqualTo(40);
    assertThat(last.before() + last.ended()).isEqualTo(200);
    assertThat(ends()).doesNotHaveDuplicates().hasSize(219);
    FeedPosition position = FeedPositions.read(connection, "sample").orElseThrow();
    assertThat(position.getPosition()).isEqualTo(200);
    assertThat(position.getOpen()).isEmpty();
    assertThat(FeedPositions.read(connection, "another")).isEmpty();
  }

  private ReplayResult replay(int atMost) throws InterruptedException {
    try (Scheduler scheduler = Scheduler.start(SchedulerConfig.of("tracer", connection))) {
      Optional<FeedPosition> from = FeedPositions.read(connection, OPTIONS.feed());
      int[] ended = {0};
      return new Replay(PLAN, OPTIONS, scheduler, Workload.stated(), Clock.systemUTC())
          .run(
              from,
              at -> {
                if (++ended[0] == atMost) {
                  throw new Ended();
                }
              });
    }
  }

  /** The ends that were said: alloc and volume. */
  private List<String> ends() {
    try (TopicReader<AllocEvent> reader =
        new TopicReader<>(
            connection,
            connection.topics().name(Topic.ALLOC_EVENTS),
            AllocEvent.class,
            "read_committed")) {
      return reader.toTheEnd().stream()
          .map(record -> record.value())
          .filter(event -> event.getScheduler().equals("tracer"))
          .filter(
              event ->
                  event.getBody() instanceof AllocStatusChanged status
                      && (status.getClient() == ClientStatus.COMPLETE
                          || status.getClient() == ClientStatus.FAILED))
          .map(event -> event.getAlloc() + " " + event.getVolume())
          .toList();
    }
  }
}
