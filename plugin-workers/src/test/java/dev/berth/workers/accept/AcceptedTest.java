package dev.berth.workers.accept;

import static dev.berth.workers.WorkFixtures.AT_NOON;
import static dev.berth.workers.WorkFixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Acceptance;
import dev.berth.records.Work;
import dev.berth.schemas.headers.Step;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.workers.WorkFixtures;
import dev.berth.workers.time.TimeAllowed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AcceptedTest {

  @Test
  void anAcceptanceNamesTheAttemptTheWorkerAndTheTimeAllowedFromBeforeTheTransaction() {
    Work work = WorkFixtures.work("t1").setTimeoutMillis(9_000).build();

    assertThat(Accepted.of(work, "w1", "x1", AT_NOON))
        .isEqualTo(
            new Accepted(
                work,
                Acceptance.newBuilder()
                    .setAttemptId("t1")
                    .setAcceptanceId("x1")
                    .setPlugin("ebs")
                    .setWorker("w1")
                    .setTimeAllowedMillis(9_000)
                    .setAt(NOON)
                    .build(),
                new TimeAllowed(AT_NOON, Duration.ofSeconds(9)),
                StepTimes.NONE.with(Step.ACCEPTED, NOON)));
  }
}
