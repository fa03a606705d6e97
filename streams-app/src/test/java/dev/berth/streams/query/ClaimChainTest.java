package dev.berth.streams.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.proto.api.Cause;
import dev.berth.proto.api.Position;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.CallFate;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.Happening;
import dev.berth.records.NotSentReason;
import dev.berth.records.Outcome;
import dev.berth.records.RpcCode;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.VolumeKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
