package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.streams.command.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForecastTest {
  private final LanesWorld world = new LanesWorld();

  private Optional<Duration> of(String request) {
    return Forecast.untilDone(world.state(), request, world.now(), world.policies());
  }

  /** An attach that takes so long. */
  private void took(Duration time) {
    String attach = world.attach("seen", "n3");
    String acceptance = world.accept(attach);
    Instant begin = world.now();
    world.advance(time);
    world.outcome(
        attach,
        acceptance,
        new CallEnd(
            CallFate.ANSWERED, NotSentReason.NONE, RpcCode.OK, "", Map.of(), begin, world.now()));
  }

  @Test
  void nothingIsForetoldBeforeACallWasSeen() {
    String attach = world.attach("v1", "n1");

    assertThat(of(attach)).isEmpty();
  }

  @Test
  void theOpenCallIsCountedDownAndThoseAheadAreAdded() {
    took(Duration.ofSeconds(10));
    String first = world.attach("v1", "n1");
    world.attach("v2", "n1");
    String third = world.attach("v3", "n1");
    world.accept(first);
    world.advance(Duration.ofSeconds(4));

    assertThat(of(first)).contains(Duration.ofSeconds(6));
    assertThat(of(third)).contains(Duration.ofSeconds(26));
  }

  @Test
  void callsOfTheOtherKindTakeTheirShare() {
    took(Duration.ofSeconds(10));
    world.attach("v1", "n1");
    world.detach("d1", "n1");
    world.detach("d2", "n1");
    String attach = world.attach("v2", "n1");

    assertThat(of(attach)).contains(Duration.ofSeconds(30));
  }

  @Test
  void aHeldCallWaitsForItsRetryAndAPausedOneForAnOperator() {
    took(Duration.ofSeconds(1));
    world.policy("backoff.first", "1m");
    String attach = world.attach("v1", "n1");
    world.answer(attach, RpcCode.UNAVAILABLE);
    assertThat(of(attach)).contains(Duration.ofMinutes(1));

    world.command(new Command.PausePlugin(LanesWorld.EBS));
    String paused = world.attach("v2", "n1");
    assertThat(of(paused)).isEmpty();
  }

  @Test
  void nodeCallsAndUnknownOnesAreNotForetold() {
    took(Duration.ofSeconds(1));

    assertThat(of(world.onNode(CsiCall.NODE_STAGE, "v1", "n1"))).isEmpty();
    assertThat(of("default/none#1")).isEmpty();
  }
}
