package dev.berth.workers.call;

import static dev.berth.workers.WorkFixtures.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Call;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CallCheckTest {

  static Stream<Arguments> callsThatMustNotBeSent() {
    return Stream.of(
        Arguments.of(
            call(CsiCall.CONTROLLER_UNPUBLISH).setExternalNode(null).build(),
            "CONTROLLER_UNPUBLISH of volume default/v1: the provider's node id is empty, which"
                + " would mean every node"),
        Arguments.of(
            call(CsiCall.CONTROLLER_PUBLISH).setExternalNode("").build(),
            "CONTROLLER_PUBLISH of volume default/v1: the provider's node id is empty, which would"
                + " mean every node"),
        Arguments.of(
            call(CsiCall.NODE_STAGE).setExternalVolume("").build(),
            "NODE_STAGE of volume default/v1: the provider's volume id is empty"),
        Arguments.of(
            call(CsiCall.NODE_PUBLISH).setAlloc(null).build(),
            "NODE_PUBLISH of volume default/v1: no alloc is named"),
        Arguments.of(
            call(CsiCall.NODE_UNPUBLISH).setAlloc("").build(),
            "NODE_UNPUBLISH of volume default/v1: no alloc is named"));
  }

  @ParameterizedTest
  @MethodSource("callsThatMustNotBeSent")
  void aCallWithoutWhatItNeedsIsRefused(Call call, String message) {
    assertThat(CallCheck.refusal(call))
        .contains(new CallResult.NotSent(NotSentReason.INVALID, message));
  }

  @ParameterizedTest
  @EnumSource(CsiCall.class)
  void aCallWithWhatItNeedsIsNotRefused(CsiCall rpc) {
    assertThat(CallCheck.refusal(call(rpc).build())).isEmpty();
  }
}
