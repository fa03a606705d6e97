package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.records.AccessMode;
import dev.berth.records.ClientStatus;
import dev.berth.records.JobType;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldRulesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''       | volume is empty: give a value",
        "a/b      | volume 'a/b': holds a slash, which joins the parts of a key; take it out",
      })
  void refusesIdsThatCannotBePartOfAKey(String id, String message) {
    assertThatThrownBy(() -> VolumeUse.of("default", id))
        .isInstanceOf(InvalidEventException.class)
        .hasMessage(message);
  }

  @Test
  void refusesControlCharactersAndShowsNoneOfThem() {
    assertThatThrownBy(() -> VolumeUse.of("default", "vol\n1"))
        .hasMessage("volume 'vol?1': holds a control character; take it out");
  }

  @Test
  void refusesOverlongIdsAndShowsTheirBeginning() {
    assertThatThrownBy(() -> VolumeUse.of("default", "v".repeat(254)))
        .hasMessage("volume '" + "v".repeat(60) + "…': has 254 characters; 253 are allowed");
    assertThat(VolumeUse.of("default", "v".repeat(253)).volume()).hasSize(253);
  }

  @Test
  void refusesTextThatIsNotUnicode() {
    assertThatThrownBy(() -> VolumeUse.of("default", "vol\uD800"))
        .hasMessage("volume 'vol?': is not valid Unicode text; correct its encoding");
  }

  @Test
  void namesTheFieldOfAClaimThatIsWrong() {
    assertThatThrownBy(
            () ->
                ClaimRequest.read("a", "no/de", "default", "v", AccessMode.MULTI_NODE_READER)
                    .build())
        .isInstanceOfSatisfying(
            InvalidEventException.class, failure -> assertThat(failure.field()).isEqualTo("node"));
  }

  @ParameterizedTest
  @CsvSource({"PT0S", "PT-1M", "PT0.0000001S"})
  void refusesAPromiseToStopInNoTime(Duration promise) {
    var claim =
        ClaimRequest.write("a", "n", "default", "v", AccessMode.SINGLE_NODE_WRITER)
            .stopOnDisconnect(promise);

    assertThatThrownBy(claim::build)
        .hasMessageStartingWith("stopOnDisconnect " + promise)
        .hasMessageEndingWith("leave it out when the alloc makes no such promise");
  }

  @Test
  void refusesValuesThatStandForThoseOfANewerVersion() {
    var claim =
        ClaimRequest.read("a", "n", "default", "v", AccessMode.MULTI_NODE_READER)
            .job("web", JobType.OTHER);

    assertThat(claim.build().jobType()).isEqualTo(JobType.OTHER);
    assertThatThrownBy(() -> FieldRules.known("client", ClientStatus.UNRECOGNIZED))
        .hasMessageStartingWith("client UNRECOGNIZED");
  }

  @Test
  void refusesAnAllocThatUsesAVolumeTwiceOrNone() {
    assertThatThrownBy(
            () ->
                Alloc.of(
                    "a", VolumeUse.of("default", "v"), VolumeUse.of("default", "v").ofClaim(2)))
        .hasMessageContaining("volumes of alloc 'a' hold default/v twice");
    assertThatThrownBy(() -> new Alloc("a", List.of(), OptionalLong.empty()))
        .hasMessageContaining("volumes of alloc 'a' are none");
  }

  @Test
  void refusesAClaimGenerationThatNoClaimHas() {
    assertThatThrownBy(() -> VolumeUse.of("default", "v").ofClaim(0))
        .hasMessageStartingWith("claimGeneration 0: generations start at 1");
  }

  @Test
  void cutsTextsForPeople() {
    assertThat(FieldRules.text("e".repeat(5_000))).isEqualTo("e".repeat(4_000) + "…");
  }
}
