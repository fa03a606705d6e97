package dev.berth.driver.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.berth.driver.calls.Rpc;
import io.grpc.Status;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RuleTextTest {

  static Stream<Arguments> rules() {
    return Stream.of(
        arguments(
            "rpc=CP volume=vol-1 node=i-1 calls=2-3 do=fail code=UNAVAILABLE message=try = again",
            Rule.on(Rpc.CONTROLLER_PUBLISH)
                .volume("vol-1")
                .node("i-1")
                .calls(2, 3)
                .fail(Status.Code.UNAVAILABLE, "try = again")),
        arguments(
            "rpc=ControllerUnpublishVolume do=lose-reply",
            Rule.on(Rpc.CONTROLLER_UNPUBLISH).loseReply()),
        arguments(
            "rpc=CP,CU latency=uniform:1s:3s finish-after-cancel=true",
            Rule.on(Rpc.CONTROLLER_PUBLISH, Rpc.CONTROLLER_UNPUBLISH)
                .takes(Latency.uniform(Duration.ofSeconds(1), Duration.ofSeconds(3)))
                .finishingAfterCancel()),
        arguments(
            "do=fail-after-effect code=INTERNAL calls=4-",
            Rule.on()
                .calls(4, Long.MAX_VALUE)
                .failAfterEffect(Status.Code.INTERNAL, "as the script says")),
        arguments("rpc=PR do=not-ready calls=1", Rule.on(Rpc.PROBE).call(1).notReady()),
        arguments("  rpc=NS   do=hang ", Rule.on(Rpc.NODE_STAGE).hang()));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void isRead(String text, Rule rule) {
    assertThat(RuleText.parse(text)).isEqualTo(rule);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rpc=XX | no such RPC: 'XX'; use one of PI, PC, PR, CP, CU, LV, CC, NS, NT, NP, NU, NC, NI
          rpc=CP do=dance | do=dance: use answer, fail, hang, lose-reply, fail-after-effect or \
          not-ready
          rpc=CP do=fail | code= is not a gRPC code; write one as in code=UNAVAILABLE
          rpc=CP do=fail code=BAD | code=BAD is not a gRPC code; write one as in code=UNAVAILABLE
          rpc=CP colour=red | 'colour' is no word of a rule; use rpc, volume, node, calls, do, \
          code, latency, finish-after-cancel or message
          rpc=CP calls=two | calls=two: write 2, 2-5 or 2-
          CP hang | 'CP' in the rule 'CP hang': write name=value
          """)
  void wrongTextIsExplained(String text, String message) {
    assertThatThrownBy(() -> RuleText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
