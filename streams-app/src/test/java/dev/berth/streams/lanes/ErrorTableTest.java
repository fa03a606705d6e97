package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CsiCall;
import dev.berth.records.RpcCode;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ErrorTableTest {

  @Test
  void attachesEndAsTheDomainRulesSay() {
    assertThat(table(CsiCall.CONTROLLER_PUBLISH))
        .isEqualTo(
            """
            OK DONE uncertain
            CANCELLED RETRY
            UNKNOWN REJECT_AFTER_THREE uncertain
            INVALID_ARGUMENT REJECT
            DEADLINE_EXCEEDED RETRY uncertain
            NOT_FOUND REJECT
            ALREADY_EXISTS REJECT
            PERMISSION_DENIED REJECT
            RESOURCE_EXHAUSTED REJECT_IF_FULL
            FAILED_PRECONDITION RETRY
            ABORTED RETRY_PATIENTLY
            OUT_OF_RANGE REJECT
            UNIMPLEMENTED REJECT
            INTERNAL REJECT_AFTER_THREE uncertain
            UNAVAILABLE RETRY uncertain
            DATA_LOSS REJECT_AFTER_THREE
            UNAUTHENTICATED REJECT
            """);
  }

  @Test
  void onlyOkAndNotFoundMeanDetached() {
    assertThat(table(CsiCall.CONTROLLER_UNPUBLISH))
        .isEqualTo(
            """
            OK DONE uncertain
            CANCELLED RETRY uncertain
            UNKNOWN RETRY uncertain
            INVALID_ARGUMENT STUCK
            DEADLINE_EXCEEDED RETRY uncertain
            NOT_FOUND DETACHED_UNLESS_POLICY_RETRIES uncertain
            ALREADY_EXISTS RETRY uncertain
            PERMISSION_DENIED STUCK
            RESOURCE_EXHAUSTED RETRY
            FAILED_PRECONDITION RETRY
            ABORTED RETRY_PATIENTLY
            OUT_OF_RANGE STUCK
            UNIMPLEMENTED DETACHED_UNLESS_STILL_ADVERTISED
            INTERNAL RETRY uncertain
            UNAVAILABLE RETRY uncertain
            DATA_LOSS RETRY uncertain
            UNAUTHENTICATED STUCK
            """);
  }

  @Test
  void notFoundOnTheWayDownIsDoneAndAllElseOnANodeIsAskedAgain() {
    String rest =
        """
        ALREADY_EXISTS RETRY uncertain
        PERMISSION_DENIED RETRY uncertain
        RESOURCE_EXHAUSTED RETRY uncertain
        FAILED_PRECONDITION RETRY uncertain
        ABORTED RETRY_PATIENTLY uncertain
        OUT_OF_RANGE RETRY uncertain
        UNIMPLEMENTED RETRY uncertain
        INTERNAL RETRY uncertain
        UNAVAILABLE RETRY uncertain
        DATA_LOSS RETRY uncertain
        UNAUTHENTICATED RETRY uncertain
        """;
    String first =
        """
        OK DONE uncertain
        CANCELLED RETRY uncertain
        UNKNOWN RETRY uncertain
        INVALID_ARGUMENT RETRY uncertain
        DEADLINE_EXCEEDED RETRY uncertain
        """;
    String down = first + "NOT_FOUND DONE uncertain\n" + rest;
    String up = first + "NOT_FOUND RETRY uncertain\n" + rest;

    assertThat(table(CsiCall.NODE_UNPUBLISH)).isEqualTo(down);
    assertThat(table(CsiCall.NODE_UNSTAGE)).isEqualTo(down);
    assertThat(table(CsiCall.NODE_STAGE)).isEqualTo(up);
    assertThat(table(CsiCall.NODE_PUBLISH)).isEqualTo(up);
  }

  @Test
  void noAttachThatIsMadeAgainUnderAGrantedClaimIsRejected() {
    Map<RpcCode, ErrorTable.Rule> again = ErrorTable.ATTACH_AGAIN;

    assertThat(again.keySet()).isEqualTo(ErrorTable.ATTACH.keySet());
    assertThat(
            again.entrySet().stream()
                .filter(row -> row.getValue().verdict() == ErrorTable.Verdict.STUCK)
                .map(row -> row.getKey().name()))
        .containsExactlyInAnyOrder(
            "INVALID_ARGUMENT",
            "NOT_FOUND",
            "PERMISSION_DENIED",
            "UNAUTHENTICATED",
            "OUT_OF_RANGE",
            "ALREADY_EXISTS",
            "UNIMPLEMENTED");
    assertThat(again.values())
        .extracting(ErrorTable.Rule::verdict)
        .doesNotContain(
            ErrorTable.Verdict.REJECT,
            ErrorTable.Verdict.REJECT_IF_FULL,
            ErrorTable.Verdict.REJECT_AFTER_THREE);
  }

  private static String table(CsiCall rpc) {
    return Arrays.stream(RpcCode.values())
        .map(code -> row(code, ErrorTable.rule(rpc, code)))
        .collect(Collectors.joining());
  }

  private static String row(RpcCode code, ErrorTable.Rule rule) {
    return code + " " + rule.verdict() + (rule.uncertain() ? " uncertain" : "") + "\n";
  }
}
