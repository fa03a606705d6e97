package dev.berth.streams.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.proto.api.Cause;
import dev.berth.proto.api.Position;
import dev.berth.records.AccessMode;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.Attachment;
import dev.berth.records.AttachmentMode;
import dev.berth.records.AttachmentState;
import dev.berth.records.CallFate;
import dev.berth.records.Claim;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimState;
import dev.berth.records.ClientStatus;
import dev.berth.records.CsiCall;
import dev.berth.records.DesiredStatus;
import dev.berth.records.Fence;
import dev.berth.records.GarbageCollection;
import dev.berth.records.Happening;
import dev.berth.records.InstanceGone;
import dev.berth.records.NodeGone;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeView;
import dev.berth.records.NotSentReason;
import dev.berth.records.Outcome;
import dev.berth.records.PluginGone;
import dev.berth.records.PluginRole;
import dev.berth.records.PoliciesChanged;
import dev.berth.records.RpcCode;
import dev.berth.records.Signal;
import dev.berth.records.StateChange;
import dev.berth.schemas.serde.TrustedPackages;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.VolumeKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The chain of a claim")
class ClaimChainTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Position SOURCE =
      Position.newBuilder().setTopic("alloc-events").setPartition(1).setOffset(40).build();

  private final ClaimChain chain = new ClaimChain(new VolumeKey("prod", "db"), "a1");

  @Test
  @DisplayName("has what was said of the alloc and what was decided, with where each stands")
  void decided() {
    AllocEvent ended = event("a1");

    chain.decision(
        found(9, decision(ended, new Happening("unpublishing", "a1", "n1", null, "it ended"))),
        Map.<Object, Position>of(ended, SOURCE)::get);

    assertThat(chain.causes())
        .containsExactly(
            Cause.newBuilder()
                .setKind(Cause.Kind.KIND_EVENT)
                .setAt(ProtoTime.timestamp(NOW))
                .setPosition(SOURCE)
                .setName("alloc-status-changed")
                .setText("scheduler nomad of alloc a1: client complete, desired stop")
                .build(),
            Cause.newBuilder()
                .setKind(Cause.Kind.KIND_DECISION)
                .setAt(ProtoTime.timestamp(NOW))
                .setPosition(
                    Position.newBuilder().setTopic("claim-history").setPartition(1).setOffset(9))
                .setName("unpublishing")
                .setText("unpublishing: it ended")
                .build());
  }

  @Test
  @DisplayName("leaves out what concerns other claims")
  void others() {
    chain.decision(
        found(9, decision(event("a2"), new Happening("granted", "a2", "n1", null, ""))),
        event -> null);
    chain.outcome(found(3, outcome("prod/db#8")));

    assertThat(chain.causes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "RESERVING, reserved, asks for the attach",
    "UNPUBLISHING, unpublishing, asks for the attach"
  })
  @DisplayName("names a decision that nothing else is told of by the row that it wrote")
  void written(ClaimState state, String name, String text) {
    Claim row = claim(state);
    Attachment attachment = attachment("prod/db#7");
    ClaimDecision decision =
        ClaimDecision.newBuilder(
                decision(event("a1"), new Happening("granted", "a2", "n1", null, "")))
            .setChanges(
                List.of(
                    new StateChange("claims", "prod/db/a1", row),
                    new StateChange("attachments", "prod/db/n1", attachment)))
            .build();

    chain.decision(found(9, decision), it -> null);
    chain.decision(found(10, decision), it -> null);

    assertThat(chain.causes())
        .filteredOn(cause -> cause.getKind() == Cause.Kind.KIND_DECISION)
        .extracting(Cause::getName, Cause::getText)
        // It is asked for once; the second writes what stands.
        .containsExactly(tuple(name, text), tuple(name, ""));
  }

  private static Claim claim(ClaimState state) {
    TrustedPackages.trust(Claim.class);
    return Claim.newBuilder()
        .setNamespace("prod")
        .setVolume("db")
        .setAlloc("a1")
        .setScheduler("nomad")
        .setNode("n1")
        .setGeneration(1)
        .setIndex(1)
        .setRequestId("r1")
        .setMode(ClaimMode.WRITE)
        .setAccess(AccessMode.SINGLE_NODE_WRITER)
        .setAttachment(AttachmentMode.FILE_SYSTEM)
        .setState(state)
        .setClaimedAt(NOW)
        .setStateSince(NOW)
        .build();
  }

  private static Attachment attachment(String request) {
    return Attachment.newBuilder()
        .setNamespace("prod")
        .setVolume("db")
        .setNode("n1")
        .setPlugin("ebs")
        .setExternalVolume("vol-1")
        .setGeneration(1)
        .setState(AttachmentState.ATTACHING)
        .setSince(NOW)
        .setControllerRequired(true)
        .setPublished(true)
        .setAccess(AccessMode.SINGLE_NODE_WRITER)
        .setReadOnly(false)
        .setRequest(request)
        .setRequestCall(CsiCall.CONTROLLER_PUBLISH)
        .build();
  }

  @Test
  @DisplayName("says of a change of the cluster who said what, of which node or plugin")
  void signals() {
    NodeView node =
        new NodeView(
            "n3",
            "dev",
            NodeStatus.DOWN,
            true,
            1L,
            NOW,
            new Fence("root", "off", NOW.minusSeconds(60), null));
    assertThat(
            List.of(
                text(node),
                text(new NodeGone(node)),
                text(new PluginGone("ebs")),
                text(new InstanceGone("ebs", "n1", PluginRole.CONTROLLER)),
                text(new PoliciesChanged(4L, Map.of("default", Map.of()))),
                text(new GarbageCollection(true, "root"))))
        .containsExactly(
            "node: node n3 is down, as scheduler dev says; fenced by root at 2029-12-31T23:59:00Z: off",
            "node-gone: node n3 is gone, as scheduler dev says; fenced by root at"
                + " 2029-12-31T23:59:00Z: off",
            "plugin-gone: plugin ebs has had no instance for so long that its record was removed",
            "instance-gone: the controller of plugin ebs on node n1 was removed",
            "policies-changed: the policies are those of version 4 now: default",
            "garbage-collection: a collection of garbage that root asked for, whatever the"
                + " thresholds");
  }

  private static String text(Object body) {
    Cause cause = EventTexts.of(new Signal(NOW, body)).build();
    return cause.getName() + ": " + cause.getText();
  }

  @Test
  @DisplayName("has what became of its calls, with the time they took")
  void outcomes() {
    chain.requests().add("prod/db#7");

    chain.outcome(found(3, outcome("prod/db#7")));

    assertThat(chain.causes())
        .containsExactly(
            Cause.newBuilder()
                .setKind(Cause.Kind.KIND_OUTCOME)
                .setAt(ProtoTime.timestamp(NOW))
                .setPosition(
                    Position.newBuilder()
                        .setTopic(Topic.WORK_OUTCOMES.suffix())
                        .setPartition(1)
                        .setOffset(3))
                .setName("INTERNAL")
                .setText("worker w1, answered: no such disk")
                .setRequest("prod/db#7")
                .setAttempt("ebs/1")
                .setTook(ProtoTime.duration(Duration.ofMillis(1_500)))
                .build());
  }

  private static <A> TopicTail.Found<A> found(long offset, A value) {
    return new TopicTail.Found<>(1, offset, NOW, value);
  }

  private static AllocEvent event(String alloc) {
    return AllocEvent.newBuilder()
        .setScheduler("nomad")
        .setIndex(2)
        .setNamespace("prod")
        .setVolume("db")
        .setAlloc(alloc)
        .setAt(NOW)
        .setBody(new AllocStatusChanged(ClientStatus.COMPLETE, DesiredStatus.STOP))
        .build();
  }

  private static ClaimDecision decision(AllocEvent event, Happening happening) {
    return ClaimDecision.newBuilder()
        .setNamespace("prod")
        .setVolume("db")
        .setNow(NOW)
        .setPolicyVersion(1)
        .setEvent(event)
        .setHappenings(List.of(happening))
        .setChanges(List.of())
        .build();
  }

  private static Outcome outcome(String request) {
    return Outcome.newBuilder()
        .setAttemptId("ebs/1")
        .setAcceptanceId("acc-1")
        .setRequestId(request)
        .setPlugin("ebs")
        .setWorker("w1")
        .setFate(CallFate.ANSWERED)
        .setNotSent(NotSentReason.NONE)
        .setCode(RpcCode.INTERNAL)
        .setMessage("no such disk")
        .setStartedAt(NOW.minusMillis(1_500))
        .setEndedAt(NOW)
        .build();
  }
}
