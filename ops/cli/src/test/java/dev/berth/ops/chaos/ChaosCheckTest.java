package dev.berth.ops.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Mount;
import dev.berth.driver.provider.ProviderSnapshot;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Claim;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimState;
import dev.berth.records.StateChange;
import dev.berth.records.TimerFired;
import dev.berth.schemas.serde.TrustedPackages;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each rule finds what was planted against it, and nothing else does. */
class ChaosCheckTest {

  static {
    TrustedPackages.trust(Claim.class);
  }

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String VOLUME = "ebs-1";
  private static final String KEY = "chaos/ebs-1/a1";
  private static final List<Call> TOGETHER = List.of(attach(0, 3, "v1"), attach(1, 2, "v2"));

  @Test
  void nothingIsWrongWhereNothingHappened() {
    assertThat(check(new Planted())).isEqualTo(new ChaosCheck(List.of(), 0, List.of()));
  }

  @Test
  void aWholeLifeInOrderIsRight() {
    Planted planted = new Planted();
    planted.calls =
        List.of(
            attach(0, 1, ext()),
            call(2, 3, Rpc.NODE_STAGE, ext()),
            call(4, 5, Rpc.NODE_PUBLISH, ext()),
            call(11, 12, Rpc.NODE_UNPUBLISH, ext()),
            call(13, 14, Rpc.NODE_UNSTAGE, ext()),
            call(15, 16, Rpc.CONTROLLER_UNPUBLISH, ext()));
    planted.decisions = List.of(granted(6), ended(10), freed(17));

    assertThat(check(planted)).isEqualTo(new ChaosCheck(List.of(), 0, List.of()));
  }

  @Test
  void aDetachUnderALiveClaimIsAProblem() {
    Planted planted = new Planted();
    planted.calls = List.of(attach(0, 1, ext()), call(5, 6, Rpc.CONTROLLER_UNPUBLISH, ext()));
    planted.decisions = List.of(granted(2), ended(8), freed(9));

    assertThat(check(planted).problems())
        .singleElement()
        .asString()
        .startsWith("a detach under the live claim of a1: ");
  }

  @Test
  void aClaimThatIsGrantedDuringADetachIsAProblem() {
    Planted planted = new Planted();
    planted.calls = List.of(attach(0, 1, ext()), call(2, 5, Rpc.CONTROLLER_UNPUBLISH, ext()));
    planted.decisions = List.of(granted(4), ended(8), freed(9));

    assertThat(check(planted).problems())
        .containsExactly(
            "the claim of a1 was granted during a detach: " + planted.calls.get(1).describe());
  }

  @Test
  void twoOpenNodeCallsOfAVolumeAreAProblem() {
    Planted planted = new Planted();
    Call publish = call(4, 6, Rpc.NODE_PUBLISH, ext());
    Call unpublish = call(5, 7, Rpc.NODE_UNPUBLISH, ext());
    planted.calls =
        List.of(
            attach(0, 1, ext()),
            call(2, 3, Rpc.NODE_STAGE, ext()),
            publish,
            unpublish,
            call(8, 9, Rpc.NODE_UNSTAGE, ext()));

    assertThat(check(planted).problems())
        .contains(
            "two node calls of one volume were open together: %s, %s"
                .formatted(publish.describe(), unpublish.describe()));
  }

  @Test
  void anAttemptThatIsGivenOutAgainIsAProblem() {
    Planted planted = new Planted();
    planted.attempts = List.of("ebs/r-29", "gce/r-29", "ebs/r-30", "ebs/r-29");

    assertThat(check(planted).problems())
        .containsExactly("attempt ebs/r-29 was given out a second time");
  }

  @Test
  void aDetachBeforeTheNodeStepIsAProblem() {
    Planted planted = new Planted();
    planted.calls =
        List.of(
            attach(0, 1, ext()),
            call(2, 3, Rpc.NODE_PUBLISH, ext()),
            call(5, 6, Rpc.CONTROLLER_UNPUBLISH, ext()),
            call(7, 8, Rpc.NODE_UNPUBLISH, ext()));

    assertThat(check(planted).problems())
        .singleElement()
        .asString()
        .startsWith("detach before unpublish");
  }

  @Test
  void aTableThatDiffersFromItsHistoryIsAProblem() {
    Planted planted = new Planted();
    planted.decisions = List.of(granted(2));

    assertThat(check(planted).problems())
        .containsExactly("claim %s differs: the table has none, the history TAKEN".formatted(KEY));
  }

  @Test
  void aClaimThatIsLeftIsAProblem() {
    Planted planted = new Planted();
    planted.decisions = List.of(granted(2));
    planted.claims = Map.of(KEY, claim(false));

    assertThat(check(planted).problems())
        .containsExactly(
            "the claim table still holds %s, TAKEN, though its alloc has ended".formatted(KEY));
  }

  @Test
  void anAttachmentThatIsLeftIsAProblem() {
    Planted planted = new Planted();
    planted.attachments = List.of("chaos/ebs-1/n1");

    assertThat(check(planted).problems())
        .containsExactly("the attachments still hold chaos/ebs-1/n1");
  }

  @Test
  void aCallThatTheLanesStillShowIsAProblem() {
    Planted planted = new Planted();
    planted.lanes = List.of("ebs", "ebs/1767225600000-7");

    assertThat(check(planted).problems())
        .containsExactly(
            "the lanes still show calls of ebs",
            "the lanes still show calls of ebs/1767225600000-7");
  }

  @Test
  void aMountThatIsLeftIsAProblem() {
    Planted planted = new Planted();
    planted.mounts = List.of(new Mount("v1", "n1", Optional.empty(), Map.of()));

    assertThat(check(planted).problems())
        .containsExactly("volume v1 of plugin ebs is still mounted on node n1");
  }

  @Test
  void aCallThatNeverEndsIsAProblem() {
    Call attach = attach(0, 1, ext());
    Call hanging =
        new Call(
            attach.number(), attach.facts(), attach.startedAt(), attach.effect(), Optional.empty());
    Planted planted = new Planted();
    planted.calls = List.of(hanging);

    assertThat(check(planted).problems())
        .containsExactly("a call never ended: " + hanging.describe());
  }

  @Test
  void aProcessThatEndedByItselfIsAProblem() {
    Planted planted = new Planted();
    planted.dead = List.of("worker-2");

    assertThat(check(planted).problems()).containsExactly("process worker-2 ended by itself");
  }

  @Test
  void twoOpenCallsOfALaneAreAProblem() {
    Planted planted = new Planted();
    planted.calls = TOGETHER;

    assertThat(check(planted).problems())
        .singleElement()
        .asString()
        .contains("2 controller calls of plugin ebs were open together");
  }

  @Test
  void aWorkerThatWokeExplainsNoOverlapOfCallsSentInTheirTime() {
    Planted planted = new Planted();
    planted.calls = TOGETHER;
    planted.strikes = List.of(stopped("worker-1"));

    ChaosCheck check = check(planted);

    assertThat(check.problems()).hasSize(1);
    assertThat(check.apart()).isEmpty();
  }

  @Test
  void whatAWorkerSentOnWakingAfterItsTimeIsCountedApart() {
    Planted planted = new Planted();
    planted.calls = TOGETHER;
    planted.allowances = List.of(allowance(TOGETHER.get(0)));
    planted.strikes = List.of(stopped("worker-1"));

    ChaosCheck check = check(planted);

    assertThat(check.problems()).isEmpty();
    assertThat(check.lateSends()).isEqualTo(1);
    assertThat(check.apart())
        .satisfiesExactly(
            overlap -> assertThat(overlap).contains("were open together"),
            late -> assertThat(late).startsWith("a call was sent outside the time allowed: "));
  }

  @Test
  void aCallSentOutsideItsTimeByNobodyWhoWasStoppedIsAProblem() {
    Planted planted = new Planted();
    planted.calls = TOGETHER.subList(1, 2);
    planted.allowances = List.of();
    planted.strikes = List.of(stopped("streams-1"));

    ChaosCheck check = check(planted);

    assertThat(check.problems())
        .singleElement()
        .asString()
        .startsWith("a call was sent outside the time allowed: ");
    assertThat(check.lateSends()).isEqualTo(1);
    assertThat(check.apart()).isEmpty();
  }

  @Test
  void aCallThatWasAcceptedOnceAndSentTwiceIsAProblem() {
    Planted planted = new Planted();
    planted.calls = List.of(attach(0, 1, ext()), attach(2, 3, ext()));
    planted.allowances = List.of(allowance(planted.calls.get(0)));

    ChaosCheck check = check(planted);

    assertThat(check.problems())
        .containsExactly(
            "a call was sent more often than it was accepted: " + planted.calls.get(1).describe());
    assertThat(check.lateSends()).isEqualTo(1);
  }

  @Test
  void aCallSentOnWakingWithinTheTimeOfALaterAttemptIsTheLateOneOfTheTwo() {
    // What was accepted for the retry covers both, and the old acceptance is long over.
    Call old = attach(0, 3, ext());
    Call retry = attach(2, 4, ext());
    Planted planted = new Planted();
    planted.calls = List.of(old, retry);
    planted.allowances = List.of(allowance(old));
    planted.strikes = List.of(stopped("worker-1", -500));

    ChaosCheck check = check(planted);

    assertThat(check.problems()).isEmpty();
    assertThat(check.apart())
        .contains("a call was sent more often than it was accepted: " + old.describe());
  }

  @Test
  void eachCallIsExplainedByAnAcceptanceOfItsOwnWhereThatIsPossible() {
    Call first = attach(0, 1, ext());
    Call second = attach(4, 5, ext());
    // The first acceptance covers both calls, the other one only the first.
    Allowance both = allowance(first);
    Allowance one =
        new Allowance(
            "other",
            both.plugin(),
            both.rpc(),
            both.volume(),
            both.node(),
            both.from(),
            both.from());

    assertThat(LateSends.of(List.of(first, second), List.of(both, one), call -> false)).isEmpty();
  }

  /** A run with what a test plants in it; every controller call was allowed unless it says else. */
  private static final class Planted {
    private List<Call> calls = List.of();
    private @Nullable List<Allowance> allowances;
    private List<String> attempts = List.of();
    private List<ClaimDecision> decisions = List.of();
    private Map<String, Claim> claims = Map.of();
    private List<String> attachments = List.of();
    private List<Mount> mounts = List.of();
    private List<String> lanes = List.of();
    private List<Strikes.Done> strikes = List.of();
    private List<String> dead = List.of();
  }

  private static ChaosCheck check(Planted planted) {
    List<Allowance> allowances =
        planted.allowances != null
            ? planted.allowances
            : planted.calls.stream().map(ChaosCheckTest::allowance).toList();
    return ChaosCheck.of(
        new Evidence(
            planted.calls,
            allowances,
            planted.attempts,
            Map.of("ebs", new ProviderSnapshot(List.of(), List.of(), List.of(), planted.mounts)),
            planted.decisions,
            Map.of(),
            planted.claims,
            planted.attachments,
            planted.lanes,
            planted.strikes,
            planted.dead,
            false));
  }

  private static Strikes.Done stopped(String target) {
    return stopped(target, 500);
  }

  private static Strikes.Done stopped(String target, long wokenMillis) {
    Fault fault = new Fault(Duration.ZERO, Fault.Kind.STOP, target, ChaosSchedule.LONGEST_STOP);
    return new Strikes.Done(fault, START.minusSeconds(13), START.plusMillis(wokenMillis));
  }

  private static Allowance allowance(Call call) {
    return new Allowance(
        "acceptance-" + call.number(),
        call.facts().plugin(),
        call.facts().rpc(),
        call.facts().volume(),
        call.facts().node(),
        call.startedAt(),
        call.startedAt().plusSeconds(5));
  }

  private static Call attach(long start, long end, String volume) {
    return call(start, end, Rpc.CONTROLLER_PUBLISH, volume);
  }

  private static Call call(long start, long end, Rpc rpc, String volume) {
    String path = rpc == Rpc.NODE_PUBLISH || rpc == Rpc.NODE_UNPUBLISH ? "/target" : "";
    return new Call(
        start,
        new CallFacts("ebs", "one", rpc, volume, Cluster.externalNode("n1"), path, false),
        START.plusSeconds(start),
        Optional.of(new Call.Effect(end, START.plusSeconds(end))),
        Optional.of(new Call.End(end, START.plusSeconds(end), Status.Code.OK, "", false)));
  }

  private static String ext() {
    return Load.externalId(VOLUME);
  }

  private static ClaimDecision granted(long at) {
    return decision(at, claim(false));
  }

  private static ClaimDecision ended(long at) {
    return decision(at, claim(true));
  }

  private static ClaimDecision freed(long at) {
    return decision(at, null);
  }

  private static ClaimDecision decision(long at, @Nullable Claim row) {
    return ClaimDecision.newBuilder()
        .setNamespace(Load.NAMESPACE)
        .setVolume(VOLUME)
        .setNow(START.plusSeconds(at))
        .setPolicyVersion(1)
        .setEvent(new TimerFired("test"))
        .setHappenings(List.of())
        .setChanges(List.of(new StateChange("claims", KEY, row)))
        .build();
  }

  private static Claim claim(boolean ended) {
    return Claim.newBuilder()
        .setNamespace(Load.NAMESPACE)
        .setVolume(VOLUME)
        .setAlloc("a1")
        .setScheduler("test")
        .setNode("n1")
        .setGeneration(1)
        .setIndex(1)
        .setRequestId("r1")
        .setMode(ClaimMode.WRITE)
        .setAccess(AccessMode.SINGLE_NODE_WRITER)
        .setAttachment(AttachmentMode.FILE_SYSTEM)
        .setState(ended ? ClaimState.UNPUBLISHING : ClaimState.TAKEN)
        .setGranted(true)
        .setClaimedAt(START)
        .setStateSince(START)
        .setEndedAt(ended ? START : null)
        .build();
  }
}
