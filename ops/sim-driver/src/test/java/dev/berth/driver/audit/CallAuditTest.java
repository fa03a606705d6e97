package dev.berth.driver.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Attachment;
import dev.berth.driver.provider.ProviderSnapshot;
import dev.berth.driver.provider.Usage;
import dev.berth.driver.provider.Volume;
import dev.berth.proto.csi.VolumeCapability.AccessMode.Mode;
import io.grpc.Status.Code;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each check passes a good log, and fails a log that is bad in just that way. */
class CallAuditTest {

  private static final Map<String, ProviderSnapshot> EMPTY_PROVIDER =
      Map.of(
          "ebs",
          new ProviderSnapshot(
              List.of(new Volume("s", Access.SINGLE_NODE), new Volume("m", Access.MULTI_NODE)),
              List.of(),
              List.of(),
              List.of()));

  private final Story story = new Story("ebs");

  private List<String> evidence() {
    return evidence(Expectations.strict());
  }

  private List<String> evidence(Expectations expected) {
    return CallAudit.audit(story.calls(), EMPTY_PROVIDER, expected).stream()
        .map(Finding::evidence)
        .toList();
  }

  private Story wholeLife(String volume, String node) {
    return story
        .ok("CP", volume, node)
        .ok("NS", volume, node, "/stage")
        .ok("NP", volume, node, "/mnt/1")
        .ok("NU", volume, node, "/mnt/1")
        .ok("NT", volume, node, "/stage")
        .ok("CU", volume, node);
  }

  @Test
  void orderlyLifeIsFine() {
    wholeLife("s", "i-1");
    wholeLife("s", "i-2");
    wholeLife("m", "i-1");

    assertThat(evidence()).isEmpty();
  }

  @Test
  void controllerCallsOfOnePluginOpenTogether() {
    long first = story.start("CP", "s", "i-1");
    long second = story.start("CP", "m", "i-2");
    story.end(first, Code.OK).end(second, Code.OK);

    assertThat(evidence())
        .containsExactly(
            "2 controller calls of plugin ebs were open together, allowed are 1:"
                + " #1 CP s i-1 rw -> OK, #2 CP m i-2 rw -> OK");
    assertThat(evidence(Expectations.strict().withOpenPerPlugin(2))).isEmpty();
    assertThat(CallAudit.mostOpenPerPlugin(story.calls())).isEqualTo(Map.of("ebs", 2));
    assertThat(CallAudit.mostOpenPerVolume(story.calls()))
        .isEqualTo(Map.of("ebs/s", 1, "ebs/m", 1));
  }

  @Test
  void controllerCallsOfOneVolumeOpenTogether() {
    long attach = story.start("CP", "m", "i-1");
    story.ok("CU", "m", "i-2").end(attach, Code.OK);

    assertThat(evidence(Expectations.strict().withOpenPerPlugin(9)))
        .containsExactly(
            "2 controller calls of volume ebs/m were open together, allowed are 1:"
                + " #1 CP m i-1 rw -> OK, #2 CU m i-2 -> OK");
    assertThat(evidence(Expectations.strict().withOpenPerPlugin(9).withOpenPerVolume(2))).isEmpty();
  }

  @Test
  void callThatNeverEndedIsOpenForEver() {
    story.start("CU", "m", "i-1");
    story.ok("CU", "m", "i-2");

    assertThat(CallAudit.tooManyOpen(story.calls(), Expectations.strict())).hasSize(2);
  }

  @Test
  void callsOneAfterTheOtherAndNodeCallsAreNotOpenTogether() {
    story.ok("CP", "m", "i-1").ok("CP", "m", "i-2");
    long stage = story.start("NS", "m", "i-1", "/stage");
    story.ok("NS", "m", "i-2", "/stage").end(stage, Code.OK);

    assertThat(CallAudit.tooManyOpen(story.calls(), Expectations.strict())).isEmpty();
    assertThat(CallAudit.mostOpenPerPlugin(story.calls())).isEqualTo(Map.of("ebs", 1));
  }

  @Test
  void pluginsAreCountedApart() {
    Story other = new Story("gce");
    long open = other.start("CP", "s", "g-1");
    other.end(open, Code.OK);
    story.ok("CP", "s", "i-1");

    assertThat(
            CallAudit.tooManyOpen(
                List.of(story.calls().get(0), other.calls().get(0)), Expectations.strict()))
        .isEmpty();
  }

  @Test
  void singleNodeVolumeMovesWithoutADetach() {
    story.ok("CP", "s", "i-1").failed(Code.FAILED_PRECONDITION, "CP", "s", "i-2");

    assertThat(evidence())
        .containsExactly(
            "no OK detach between the attaches of a single-node volume to two nodes:"
                + " #1 CP s i-1 rw -> OK, #4 CP s i-2 rw -> FAILED_PRECONDITION");
  }

  @Test
  void failedDetachDoesNotRelease() {
    story.ok("CP", "s", "i-1").failed(Code.INTERNAL, "CU", "s", "i-1").ok("CP", "s", "i-2");

    assertThat(evidence()).hasSize(1).first().asString().startsWith("no OK detach between");
  }

  @Test
  void detachFromAnotherNodeDoesNotRelease() {
    story.ok("CP", "s", "i-1").ok("CU", "s", "i-2").ok("CP", "s", "i-2");

    assertThat(evidence()).hasSize(1).first().asString().startsWith("no OK detach between");
  }

  @Test
  void attachWithoutAnAnswerMayStillHold() {
    story.failedButDone(Code.DEADLINE_EXCEEDED, "CP", "s", "i-1").ok("CP", "s", "i-2");

    assertThat(evidence())
        .containsExactly(
            "no OK detach between the attaches of a single-node volume to two nodes:"
                + " #1 CP s i-1 rw -> DEADLINE_EXCEEDED (done all the same),"
                + " #4 CP s i-2 rw -> OK");
  }

  @Test
  void notFoundAndUnimplementedRelease() {
    story
        .ok("CP", "s", "i-1")
        .failed(Code.NOT_FOUND, "CU", "s", "i-1")
        .failed(Code.UNIMPLEMENTED, "CP", "s", "i-2")
        .ok("CP", "s", "i-3");

    assertThat(evidence()).isEmpty();
  }

  @Test
  void multiNodeVolumeMaybeOnManyNodes() {
    story.ok("CP", "m", "i-1").ok("CP", "m", "i-2");

    assertThat(evidence()).isEmpty();
  }

  @Test
  void somethingIsLeftAttached() {
    Attachment left =
        new Attachment("s", "i-1", new Usage(Mode.SINGLE_NODE_WRITER, false, false), "/dev/xvdba");
    ProviderSnapshot provider =
        new ProviderSnapshot(List.of(), List.of(), List.of(left), List.of());

    assertThat(CallAudit.audit(List.of(), Map.of("ebs", provider), Expectations.strict()))
        .extracting(Finding::evidence)
        .containsExactly("volume s of plugin ebs is still attached to node i-1");
  }

  @Test
  void controllerCallNamesNoNode() {
    story.ok("CU", "m", "").failed(Code.INVALID_ARGUMENT, "CP", "m", "");

    assertThat(evidence())
        .containsExactly(
            "a controller call names no node: #1 CU m (none) -> OK",
            "a controller call names no node: #4 CP m (none) rw -> INVALID_ARGUMENT");
  }

  @Test
  void stageBeforeTheAttachIsAnswered() {
    long attach = story.start("CP", "s", "i-1");
    story.ok("NS", "s", "i-1", "/stage").end(attach, Code.OK);

    assertThat(evidence()).containsExactly("stage before attach: #2 NS s @i-1 /stage -> OK");
  }

  @Test
  void stageAfterAnAttachThatFailed() {
    story.failedButDone(Code.UNAVAILABLE, "CP", "s", "i-1").ok("NS", "s", "i-1", "/stage");

    assertThat(evidence()).containsExactly("stage before attach: #4 NS s @i-1 /stage -> OK");
  }

  @Test
  void publishBeforeStage() {
    story
        .ok("CP", "s", "i-1")
        .ok("NP", "s", "i-1", "/mnt/1")
        .ok("NU", "s", "i-1", "/mnt/1")
        .ok("NS", "s", "i-1", "/stage");

    assertThat(evidence()).containsExactly("publish before stage: #4 NP s @i-1 /mnt/1 rw -> OK");
  }

  @Test
  void publishBeforeAttachOfAPluginThatDoesNotStage() {
    story.ok("NP", "s", "i-1", "/mnt/1").ok("CP", "s", "i-1");

    assertThat(evidence()).containsExactly("publish before attach: #1 NP s @i-1 /mnt/1 rw -> OK");
  }

  @Test
  void pluginWithoutAttachNeedsNone() {
    story.ok("NS", "s", "i-1", "/stage").ok("NP", "s", "i-1", "/mnt/1");

    assertThat(evidence()).isEmpty();
  }

  @Test
  void unstageWithAPublishLeft() {
    story
        .ok("CP", "s", "i-1")
        .ok("NS", "s", "i-1", "/stage")
        .ok("NP", "s", "i-1", "/mnt/1")
        .failed(Code.INTERNAL, "NU", "s", "i-1", "/mnt/1")
        .failed(Code.FAILED_PRECONDITION, "NT", "s", "i-1", "/stage");

    assertThat(evidence())
        .containsExactly(
            "unstage before unpublish of [/mnt/1]:"
                + " #12 NT s @i-1 /stage -> FAILED_PRECONDITION");
  }

  @Test
  void detachUnderAMount() {
    story
        .ok("CP", "s", "i-1")
        .ok("NS", "s", "i-1", "/stage")
        .ok("NP", "s", "i-1", "/mnt/1")
        .ok("CU", "s", "i-1");

    assertThat(evidence())
        .containsExactly(
            "detach before unpublish of [/mnt/1]: #10 CU s i-1 -> OK",
            "detach before unstage: #10 CU s i-1 -> OK");
    assertThat(evidence(Expectations.strict().withLostNodes(Set.of("i-1")))).isEmpty();
    assertThat(evidence(Expectations.strict().withLostNodes(Set.of("i-2")))).hasSize(2);
  }

  @Test
  void detachAfterAStageThatFailedButWasDone() {
    story
        .ok("CP", "s", "i-1")
        .failedButDone(Code.DEADLINE_EXCEEDED, "NS", "s", "i-1", "/stage")
        .ok("CU", "s", "i-1");

    assertThat(evidence()).containsExactly("detach before unstage: #7 CU s i-1 -> OK");
  }

  @Test
  void detachAfterAStageThatDidNothing() {
    story
        .ok("CP", "s", "i-1")
        .failed(Code.INTERNAL, "NS", "s", "i-1", "/stage")
        .ok("CU", "s", "i-1");

    assertThat(evidence()).isEmpty();
  }

  @Test
  void stageThatThePluginDoesAfterItsCallerIsGoneIsNotTheCallersFault() {
    story.ok("CP", "s", "i-1");
    long stage = story.start("NS", "s", "i-1", "/stage");
    story.end(stage, Code.DEADLINE_EXCEEDED);
    story.ok("NT", "s", "i-1", "/stage").affect(stage).ok("CU", "s", "i-1");

    assertThat(evidence()).isEmpty();
  }

  @Test
  void nodeStepsMustBeDoneAgainAfterADetach() {
    wholeLife("s", "i-1").ok("CP", "s", "i-1").ok("NP", "s", "i-1", "/mnt/2");

    assertThat(evidence()).hasSize(1).first().asString().startsWith("publish before stage: ");
  }

  @Test
  void notFoundUndoes() {
    story
        .ok("CP", "s", "i-1")
        .ok("NS", "s", "i-1", "/stage")
        .ok("NP", "s", "i-1", "/mnt/1")
        .failed(Code.NOT_FOUND, "NU", "s", "i-1", "/mnt/1")
        .failed(Code.NOT_FOUND, "NT", "s", "i-1", "/stage")
        .ok("CU", "s", "i-1");

    assertThat(evidence()).isEmpty();
  }

  @Test
  void siblingKeepsTheVolumeStaged() {
    story
        .ok("CP", "m", "i-1")
        .ok("NS", "m", "i-1", "/stage")
        .ok("NP", "m", "i-1", "/mnt/1")
        .ok("NP", "m", "i-1", "/mnt/2")
        .ok("NU", "m", "i-1", "/mnt/1")
        .ok("NT", "m", "i-1", "/stage");

    assertThat(evidence())
        .containsExactly("unstage before unpublish of [/mnt/2]: #16 NT m @i-1 /stage -> OK");
  }

  @Test
  void expectationsAllowAtLeastOneCall() {
    assertThatThrownBy(() -> Expectations.strict().withOpenPerPlugin(0))
        .hasMessage("open per plugin 0, per volume 1: at least one call must be allowed");
  }
}
