package dev.berth.workers.call;

import static dev.berth.workers.WorkFixtures.AT_NOON;
import static dev.berth.workers.WorkFixtures.NOON;
import static dev.berth.workers.WorkFixtures.accepted;
import static dev.berth.workers.WorkFixtures.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.records.NotSentReason;
import dev.berth.records.Outcome;
import dev.berth.records.RpcCode;
import dev.berth.schemas.headers.Step;
import dev.berth.schemas.headers.StepTimes;
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
  private final List<StepTimes> reported = new CopyOnWriteArrayList<>();
  private final OutcomeSink sink =
      (outcome, times) -> {
        outcomes.add(outcome);
        reported.add(times);
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
  void anOutcomeSaysWhenItsCallBeganAndEndedAfterTheStepsBefore() {
    StepTimes before = StepTimes.NONE.with(Step.EVENT, NOON.minusSeconds(9));
    PluginCaller taking3Seconds =
        (each, call) -> {
          clocks.advance(Duration.ofSeconds(3));
          return call.getExternalVolume().equals("vol-0")
              ? OK
              : new CallResult.Unanswered(RpcCode.UNAVAILABLE, "gone");
        };
    try (CallPool pool = new CallPool(9, taking3Seconds, sink, clocks, DRAIN)) {
      pool.begin(Accepted.of(run("t1", 2), "w1", "x1", AT_NOON, before));
    }

    StepTimes accepted = before.with(Step.ACCEPTED, NOON);
    assertThat(reported)
        .containsExactly(
            accepted.with(Step.RPC_STARTED, NOON).with(Step.RPC_ENDED, NOON.plusSeconds(3)),
            accepted);
  }

  @Test
  void anAttemptTakesRoomUntilItsOutcomeIsWritten() {
    CompletableFuture<Void> written = new CompletableFuture<>();
    try (CallPool pool =
        new CallPool(2, (each, call) -> OK, (outcome, times) -> written, clocks, DRAIN)) {
      pool.begin(accepted(run("t1", 1)));
      assertThat(pool.room()).isEqualTo(1);

      written.complete(null);

      await().until(() -> pool.room() == 2);
    }
  }

  @Test
  void routesThatAcceptAtTheSameTimeDoNotTakeTheSamePlaces() {
    CompletableFuture<Void> never = new CompletableFuture<>();
    try (CallPool pool =
        new CallPool(
            3, (each, call) -> OK, (outcome, times) -> never, clocks, Duration.ofMillis(10))) {
      int ours = pool.take(2);
      int others = pool.take(2);
      assertThat(List.of(ours, others, pool.room())).containsExactly(2, 1, 0);

      pool.begin(accepted(run("t1", 1)));
      pool.giveBack(ours);
      pool.giveBack(others);

      assertThat(pool.room()).isEqualTo(2);
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
