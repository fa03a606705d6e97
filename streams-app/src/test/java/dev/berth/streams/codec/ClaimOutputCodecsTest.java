package dev.berth.streams.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClaimState;
import dev.berth.records.Command;
import dev.berth.records.CsiCall;
import dev.berth.records.Happening;
import dev.berth.records.HoldCode;
import dev.berth.records.RegisterVolume;
import dev.berth.records.RejectCode;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.StuckClaim;
import dev.berth.records.VolumeSpec;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimAsk;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.Counters;
import dev.berth.streams.claims.DeadLetter;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.work.Hold;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Codecs of what goes out of a decision")
class ClaimOutputCodecsTest {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
  private static final VolumeKey KEY = new VolumeKey("default", "vA");

  @Test
  @DisplayName("write a reply with what the claim asked for")
  void reply() {
    ClaimAsk ask = ClaimDraw.ask(draw(1), "nomad");

    ClaimReply reply =
        ReplyCodec.reply(
            new ClaimsEffect.Replied(
                KEY,
                "a1",
                ask,
                3,
                ReplyOutcome.REJECTED,
                RejectCode.SLOTS,
                HoldCode.NO_CONTROLLER,
                "full",
                "a0",
                Map.of("k", "v")),
            AT);

    assertThat(reply)
        .isEqualTo(
            ClaimReply.newBuilder()
                .setRequestId(ask.requestId())
                .setScheduler("nomad")
                .setNamespace("default")
                .setVolume("vA")
                .setAlloc("a1")
                .setNode(ask.node())
                .setClaimGeneration(3)
                .setOutcome(ReplyOutcome.REJECTED)
                .setCode(RejectCode.SLOTS)
                .setHold(HoldCode.NO_CONTROLLER)
                .setMessage("full")
                .setHeldBy("a0")
                .setPublishContext(Map.of("k", "v"))
                .setAt(AT)
                .build());
  }

  @Test
  @DisplayName("write a dead letter and its resolution under the claim's key")
  void stuck() {
    DeadLetter letter = letter("a1", HoldCode.NODE_LOST);

    StuckClaim stuck =
        StuckClaimCodec.stuck(new ClaimsEffect.Stuck(letter, CsiCall.CONTROLLER_UNPUBLISH), AT);
    StuckClaim resolved =
        StuckClaimCodec.resolved(new ClaimsEffect.Resolved(letter, "it came back"), AT);

    assertThat(stuck.getStep()).contains(CsiCall.CONTROLLER_UNPUBLISH);
    assertThat(HoldCodec.HOLD.decode().apply(stuck.getHold())).isEqualTo(letter.hold());
    assertThat(stuck.getResolved()).isFalse();
    assertThat(StuckClaim.newBuilder(resolved).setStep(CsiCall.CONTROLLER_UNPUBLISH).build())
        .isEqualTo(
            StuckClaim.newBuilder(stuck).setResolved(true).setResolution("it came back").build());
    assertThat(StuckClaimCodec.key(letter)).isEqualTo(KEY + "/a1");
  }

  @Test
  @DisplayName("write the dead letter of a detach without a claim under the provider's node id")
  void stuckWithoutClaim() {
    DeadLetter letter = letter(null, HoldCode.CONTROLLER_ERROR);

    StuckClaim stuck =
        StuckClaimCodec.stuck(new ClaimsEffect.Stuck(letter, CsiCall.CONTROLLER_UNPUBLISH), AT);

    assertThat(StuckClaimCodec.key(letter)).isEqualTo(KEY + "/@n1");
    assertThat(stuck.getAlloc()).isEmpty();
    assertThat(stuck.getRemedy()).contains("retry " + KEY);
  }

  @ParameterizedTest
  @EnumSource(HoldCode.class)
  @DisplayName("tell the operator of every stuck claim what would resolve it")
  void remedies(HoldCode code) {
    String remedy =
        StuckClaimCodec.stuck(new ClaimsEffect.Stuck(letter("a1", code), null), AT).getRemedy();

    assertThat(remedy).isNotBlank().doesNotContain("%s").endsWith(".");
    // What it says to run can be typed as it stands.
    assertThat(remedy.replaceAll("berth (stuck|node|plugin) \\S+ |berth (unblock|detach) ", ""))
        .doesNotContainPattern(
            "\\b(retry|assume-detached|fence|unfence|unblock|detach|resume) (prod|n1|ebs|"
                + KEY
                + ")");
  }

  @Test
  @DisplayName("write a decision as happenings and as changes of the recorded tables")
  void decision() {
    Claim claim = ClaimDraw.claim(draw(2));
    Decision<ClaimsEffect> decision =
        new Decision<>(
            List.of(
                new Change.Put<>(ClaimTables.CLAIMS, "k", claim),
                new Change.Put<>(ClaimTables.COUNTERS, "k", new Counters(2, 1))),
            List.of(
                new ClaimsEffect.Happened("taken", "a1", "n1", null, "m"),
                new ClaimsEffect.Resolved(letter("a1", HoldCode.TIMEOUT), "h")));

    ClaimDecision written =
        DecisionCodec.decision(KEY, DecisionCodec.timer("due"), AT, 4, decision);

    assertThat(written.getEvent()).isEqualTo(DecisionCodec.timer("due"));
    assertThat(written.getPolicyVersion()).isEqualTo(4);
    assertThat(written.getHappenings())
        .containsExactly(new Happening("taken", "a1", "n1", null, "m"));
    assertThat(DecisionCodec.changes(written))
        .containsExactly(new Change.Put<>(ClaimTables.CLAIMS, "k", claim));
  }

  @Test
  @DisplayName("keep no secret of a registration that is no reference")
  void plainSecrets() {
    Map<String, String> said = Map.of("a", "${file:/run/a}", "b", "hunter2 ${env:x}");
    ClaimDecision written =
        DecisionCodec.decision(
            KEY, registration(said), AT, 0, new Decision<>(List.of(), List.of()));

    assertThat(written.getEvent())
        .isEqualTo(registration(Map.of("a", "${file:/run/a}", "b", "[no reference, removed]")));
  }

  private static Command registration(Map<String, String> secrets) {
    VolumeSpec spec =
        VolumeSpec.newBuilder()
            .setNamespace("default")
            .setVolume("vA")
            .setPlugin("ebs")
            .setExternalId("vol-a")
            .setCapabilities(List.of())
            .setSecrets(secrets)
            .build();
    return new Command("c1", "ops", "why", AT, new RegisterVolume(spec));
  }

  @Test
  @DisplayName("read the changes of the recorded tables back as they were")
  void changes() {
    List<Change> changes =
        Stream.iterate(0, seed -> seed + 1).limit(50).flatMap(this::drawn).toList();

    ClaimDecision written =
        DecisionCodec.decision(
            KEY, DecisionCodec.timer("due"), AT, 0, new Decision<>(changes, List.of()));

    assertThat(DecisionCodec.changes(written)).isEqualTo(changes);
  }

  private Stream<Change> drawn(int seed) {
    Draw draw = draw(seed);
    return Stream.of(
        new Change.Put<>(ClaimTables.VOLUMES, draw.text(), ClaimDraw.volume(draw)),
        new Change.Put<>(ClaimTables.CLAIMS, draw.text(), ClaimDraw.claim(draw)),
        new Change.Put<>(ClaimTables.ATTACHMENTS, draw.text(), ClaimDraw.attachment(draw)),
        new Change.Put<>(ClaimTables.ALLOC_MEMORY, draw.text(), ClaimDraw.memory(draw)),
        new Change.Remove(ClaimTables.CLAIMS, draw.text()),
        new Change.Remove(ClaimTables.VOLUMES, draw.text()));
  }

  private static DeadLetter letter(@Nullable String alloc, HoldCode code) {
    Hold hold = new Hold(code, "busy", null, 8, AT, AT, null, true);
    return new DeadLetter(
        KEY, alloc, "n1", "ebs", "vol-a", "i-1", ClaimState.NODE_DETACHED, false, hold);
  }

  private static Draw draw(int seed) {
    return new Draw(new Random(seed));
  }
}
