package dev.berth.ops.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import dev.berth.proto.api.Cause;
import dev.berth.proto.api.Position;
import dev.berth.proto.api.WhyClaimResponse;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class WhyScreenTest {

  @Test
  void aCauseAndItsPlaceShareALineThatHasRoom() {
    assertThat(lines("reserved"))
        .containsExactly(
            "The claim is gone; this is its history.",
            "",
            "How it came there",
            "  12-01 04:41:01.000Z  decision  reserved  claim-history-0@28");
  }

  @Test
  void manyDecisionsOfOneRecordFitTheWidthAndKeepTheirPlaceWhole() {
    List<String> lines = lines("detached, controller-detached, resolved, released".repeat(2));

    assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Lines.WIDTH));
    assertThat(lines.get(lines.size() - 1).strip()).isEqualTo("claim-history-0@28");
  }

  @Test
  void thePlaceGoesBelowWhereItAloneDoesNotFit() {
    assertThat(lines("detached, controller-detached, resolved, released"))
        .endsWith(
            "  12-01 04:41:01.000Z  decision  detached, controller-detached, resolved, released",
            "                       claim-history-0@28");
  }

  private static List<String> lines(String decisions) {
    Instant at = Instant.parse("2026-12-01T04:41:01Z");
    Cause cause =
        Cause.newBuilder()
            .setAt(Timestamp.newBuilder().setSeconds(at.getEpochSecond()))
            .setKind(Cause.Kind.KIND_DECISION)
            .setName(decisions)
            .setPosition(
                Position.newBuilder().setTopic("claim-history").setPartition(0).setOffset(28))
            .build();
    return WhyScreen.lines(WhyClaimResponse.newBuilder().addChain(cause).build(), new Moments(at));
  }
}
