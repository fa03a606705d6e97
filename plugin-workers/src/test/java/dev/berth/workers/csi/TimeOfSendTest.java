package dev.berth.workers.csi;

import static dev.berth.workers.WorkFixtures.call;
import static dev.berth.workers.WorkFixtures.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.records.NotSentReason;
import dev.berth.records.PluginRole;
import dev.berth.workers.FakePlugin;
import dev.berth.workers.accept.Accepted;
import dev.berth.workers.call.CallResult;
import dev.berth.workers.call.LateSends;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.secrets.MissingSecrets;
import dev.berth.workers.secrets.SecretSource;
import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A call leaves within the time allowed, or that is told. */
class TimeOfSendTest {

  static final LateSends NEVER_LATE =
      (accepted, call, by) -> {
        throw new AssertionError("late by " + by);
      };

  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path mounts;

  private final Clocks clocks = Clocks.system();
  private FakePlugin plugin;
  private PluginEndpoints endpoints;

  @BeforeEach
  void startPlugin() throws IOException {
    plugin = FakePlugin.start();
    endpoints =
        new PluginEndpoints(
            List.of(
                new PluginEndpoint(
                    new EndpointConfig(
                        "a",
                        Optional.of("ebs"),
                        PluginRole.CONTROLLER,
                        "n1",
                        "pool",
                        plugin.address(),
                        Optional.empty(),
                        Optional.empty()),
                    PluginConnection.plaintext(plugin.address()),
                    mounts)));
  }

  @AfterEach
  void stopPlugin() {
    endpoints.close();
    plugin.close();
  }

  @Test
  void nothingIsSentPastTheTimeAllowed() {
    CallResult result = caller(NEVER_LATE, clocks).call(accepted(Duration.ZERO), call().build());

    assertThat(result)
        .isInstanceOfSatisfying(
            CallResult.NotSent.class,
            refused -> assertThat(refused.reason()).isEqualTo(NotSentReason.TIME_PASSED));
    assertThat(plugin.published).isEmpty();
  }

  @Test
  void aProcessThatStandsStillAfterItsLastCheckSendsNothingWhenItsTimeIsOver() {
    Accepted accepted = accepted(Duration.ofSeconds(2));
    AtomicInteger reads = new AtomicInteger();
    // The fifth reading is that of the last check; it is in time, and the process stops with it.
    Clocks stopping =
        () -> {
          Moment now = clocks.read();
          if (reads.incrementAndGet() == 5) {
            await().until(() -> accepted.time().left(clocks.read()).isNegative());
          }
          return now;
        };

    CallResult result = caller(NEVER_LATE, stopping).call(accepted, call().build());

    assertThat(reads).hasValue(5);
    assertThat(result).isInstanceOf(CallResult.Unreached.class);
    assertThat(plugin.published).isEmpty();
  }

  @Test
  void aCallThatLeavesAfterTheTimeAllowedIsTold() {
    AtomicInteger reads = new AtomicInteger();
    // The sixth reading is that of the send: by it the process stood still since its last check.
    Clocks standing =
        () -> {
          Moment now = clocks.read();
          Duration later = reads.incrementAndGet() < 6 ? Duration.ZERO : LONG.plusSeconds(5);
          return new Moment(now.nanos() + later.toNanos(), now.wall().plus(later));
        };
    Map<String, Duration> late = new HashMap<>();

    CallResult result =
        caller((accepted, call, by) -> late.put(accepted.work().getAttemptId(), by), standing)
            .call(accepted(LONG), call().build());

    assertThat(result).isInstanceOf(CallResult.Answered.class);
    assertThat(late).containsOnlyKeys("t1");
    assertThat(late.get("t1")).isBetween(Duration.ofSeconds(5), LONG);
  }

  private Accepted accepted(Duration time) {
    return Accepted.of(
        work("t1").setTimeoutMillis(time.toMillis()).build(), "w1", "x1", clocks.read());
  }

  private CsiCaller caller(LateSends lateSends, Clocks read) {
    SecretSource secrets = reference -> new SecretSource.Lookup.Missing("there is none");
    return new CsiCaller(
        endpoints, secrets, new MissingSecrets(secrets), IncarnationCheck.none(), lateSends, read);
  }
}
