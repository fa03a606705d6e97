package dev.berth.workers.call;

import static dev.berth.workers.WorkFixtures.NOON;
import static dev.berth.workers.WorkFixtures.accepted;
import static dev.berth.workers.WorkFixtures.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.records.NotSentReason;
import dev.berth.records.Outcome;
import dev.berth.records.RpcCode;
import dev.berth.workers.ManualClocks;
import dev.berth.workers.accept.Accepted;
import io.grpc.Context;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CallPoolTest {

  private static final CallResult OK = new CallResult.Answered(RpcCode.OK, "", Map.of());
  private static final Duration DRAIN = Duration.ofSeconds(30);

  private final ManualClocks clocks = new ManualClocks();
  private final List<Outcome> outcomes = new CopyOnWriteArrayList<>();
  private final OutcomeSink sink =
      outcome -> {
        outcomes.add(outcome);
        return CompletableFuture.completedFuture(null);
      };

  @Test
  void theCallsOfARunAreMadeInOrderAndReportedOneByOne() {
    Accepted accepted = accepted(run("t1", 3));
    List<String> made = new CopyOnWriteArrayList<>();
    PluginCaller caller =
        (each, call) -> {
          assertThat(outcomes).hasSameSizeAs(made);
          made.add(call.getExternalVolume());
          return OK;
        };
    try (CallPool pool = new CallPool(9, caller, sink, clocks, DRAIN)) {
      pool.begin(accepted);
    }

    assertThat(made).containsExactly("vol-0", "vol-1", "vol-2");
    assertThat(outcomes)
        .containsExactly(
            OutcomeRecords.of(accepted, 0, OK, NOON, NOON),
            OutcomeRecords.of(accepted, 1, OK, NOON, NOON),
            OutcomeRecords.of(accepted, 2, OK, NOON, NOON));
  }

  @Test
  void theRestOfARunIsNotSentAfterACallWithoutAnswer() {
    Accepted accepted = accepted(run("t1", 3));
    CallResult lost = new CallResult.Unanswered(RpcCode.DEADLINE_EXCEEDED, "deadline");
    PluginCaller caller =
        (each, call) -> {
          clocks.advance(Duration.ofMillis(10));
          return call.getExternalVolume().equals("vol-0") ? OK : lost;
        };
    try (CallPool pool = new CallPool(9, caller, sink, clocks, DRAIN)) {
      pool.begin(accepted);
    }

    CallResult stopped =
        new CallResult.NotSent(NotSentReason.RUN_STOPPED, "call 1 of the run got no answer");
    assertThat(outcomes)
        .containsExactly(
            OutcomeRecords.of(accepted, 0, OK, NOON, NOON.plusMillis(10)),
            OutcomeRecords.of(accepted, 1, lost, NOON.plusMillis(10), NOON.plusMillis(20)),
            OutcomeRecords.of(accepted, 2, stopped, NOON.plusMillis(20), NOON.plusMillis(20)));
  }

  @Test
  void aBugInACallIsReportedAsACallThatMayHaveBeenCarriedOut() {
    Accepted accepted = accepted(run("t1", 1));
    PluginCaller caller =
        (each, call) -> {
          throw new IllegalStateException("hush-4711");
        };
    try (CallPool pool = new CallPool(9, caller, sink, clocks, DRAIN)) {
      pool.begin(accepted);
    }

    assertThat(outcomes)
        .containsExactly(
            OutcomeRecords.of(
                accepted,
                0,
                new CallResult.Unanswered(
                    RpcCode.INTERNAL, "the worker failed: IllegalStateException"),
                NOON,
                NOON));
  }

  @Test
  void anAttemptTakesRoomUntilItsOutcomeIsWritten() {
    CompletableFuture<Void> written = new CompletableFuture<>();
    try (CallPool pool = new CallPool(2, (each, call) -> OK, outcome -> written, clocks, DRAIN)) {
      pool.begin(accepted(run("t1", 1)));
      assertThat(pool.room()).isEqualTo(1);

      written.complete(null);

      await().until(() -> pool.room() == 2);
    }
  }

  @Test
  void attemptsDoNotWaitForEachOther() throws InterruptedException {
    CountDownLatch both = new CountDownLatch(2);
    PluginCaller meeting =
        (each, call) -> {
          both.countDown();
          try {
            both.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return OK;
        };
    try (CallPool pool = new CallPool(9, meeting, sink, clocks, DRAIN)) {
      pool.begin(accepted(run("t1", 1)));
      pool.begin(accepted(run("t2", 1)));
    }

    assertThat(outcomes).extracting(Outcome::getAttemptId).containsExactlyInAnyOrder("t1", "t2");
  }

  @Test
  void ofACallThatACloseCutsOffNothingIsReportedSoThatItsLaneWaits() {
    CallResult cut = new CallResult.Unanswered(RpcCode.CANCELLED, "the worker shuts down");
    PluginCaller hanging = hangingUntilCancelled(cut);
    Accepted accepted = accepted(run("t1", 2));
    try (CallPool pool = new CallPool(9, hanging, sink, clocks, Duration.ofMillis(200))) {
      pool.begin(accepted);
    }

    assertThat(outcomes)
        .extracting(Outcome::getCallIndex, Outcome::getNotSent)
        .containsExactly(tuple(1, NotSentReason.RUN_STOPPED));
  }

  @Test
  void aCloseThatHasWaitedLongEnoughCancelsWhatIsOpenAndSendsNoMore() {
    PluginCaller hanging = hangingUntilCancelled(OK);
    Accepted accepted = accepted(run("t1", 2));
    try (CallPool pool = new CallPool(9, hanging, sink, clocks, Duration.ofMillis(200))) {
      pool.begin(accepted);
    }

    assertThat(outcomes)
        .containsExactly(
            OutcomeRecords.of(accepted, 0, OK, NOON, NOON),
            OutcomeRecords.of(
                accepted,
                1,
                new CallResult.NotSent(
                    NotSentReason.SHUTDOWN, "the worker shuts down and waits no longer"),
                NOON,
                NOON));
  }

  private static PluginCaller hangingUntilCancelled(CallResult told) {
    return (each, call) -> {
      CountDownLatch cancelled = new CountDownLatch(1);
      Context.current().addListener(context -> cancelled.countDown(), Runnable::run);
      try {
        cancelled.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return told;
    };
  }
}
