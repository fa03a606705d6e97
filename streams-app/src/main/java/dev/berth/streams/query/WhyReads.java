package dev.berth.streams.query;

import dev.berth.proto.api.CallPlace;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.GetVolumeRequest;
import dev.berth.proto.api.GetVolumeResponse;
import dev.berth.proto.api.LaneCall;
import dev.berth.proto.api.Position;
import dev.berth.proto.api.WhyClaimRequest;
import dev.berth.proto.api.WhyClaimResponse;
import dev.berth.proto.api.WhyClaimResponse.Reason;
import dev.berth.records.AllocEvent;
import dev.berth.records.ClaimDecision;
import dev.berth.records.Command;
import dev.berth.records.Outcome;
import dev.berth.records.Settlement;
import dev.berth.records.Work;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.VolumeKey;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Why a claim is where it is: from its row and its lane now, and from the topics how it came. */
final class WhyReads {
  /** Offsets looked at in one partition at most (count): a few seconds of reading. */
  private static final long MOST = 100_000;

  /** Within the ten seconds that a person waits for a command. */
  private static final Duration PATIENCE = Duration.ofSeconds(8);

  private final VolumeReads reads;
  private final InstantSource clock;

  WhyReads(VolumeReads reads, InstantSource clock) {
    this.reads = reads;
    this.clock = clock;
  }

  /**
   * Answers; a claim that is gone is told from its history.
   *
   * @throws StatusRuntimeException NOT_FOUND when there is neither a row nor a history of it
   */
  WhyClaimResponse why(WhyClaimRequest request, TopicAccess access) {
    VolumeKey key = VolumeReads.key(request.getRef());
    WhyClaimResponse.Builder message = WhyClaimResponse.newBuilder();
    Claim claim = claim(request, message);
    if (claim != null) {
      message.setClaim(claim);
      addReasons(message, claim);
    }
    addChain(message, claim, key, request.getAlloc(), access);
    if (claim == null && message.getChainCount() == 0) {
      throw Status.NOT_FOUND
          .withDescription(
              "no claim of alloc '%s' on volume %s, and no history of one within 7 days: look for it in the list of claims"
                  .formatted(request.getAlloc(), key))
          .asRuntimeException();
    }
    return message.build();
  }

  private @Nullable Claim claim(WhyClaimRequest request, WhyClaimResponse.Builder message) {
    try {
      GetVolumeResponse volume =
          reads.volume(
              GetVolumeRequest.newBuilder()
                  .setRef(request.getRef())
                  .setOptions(request.getOptions())
                  .build());
      message.setFreshness(volume.getFreshness());
      return volume.getClaimsList().stream()
          .filter(claim -> claim.getAlloc().equals(request.getAlloc()))
          .findFirst()
          .orElse(null);
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() != Status.Code.NOT_FOUND) {
        throw e;
      }
      message.setFreshness(Reading.owned(clock.instant()));
      return null;
    }
  }

  private static void addReasons(WhyClaimResponse.Builder message, Claim claim) {
    if (claim.hasHold()) {
      message.addReasons(
          Reason.newBuilder()
              .setCode(claim.getHold().getCode())
              .setText(claim.getHold().getDetail())
              .setRemedy(claim.getHold().getRemedy()));
    }
    if (claim.getHeldByCount() > 0) {
      message.addReasons(
          Reason.newBuilder()
              .setCode("capacity")
              .setText("the volume is held; the claim is taken when that claim is gone")
              .addAllHeldBy(claim.getHeldByList()));
    }
    if (claim.hasCall()) {
      addCall(message, claim.getCall());
    } else if (claim.getNextStep().equals("client-unmount")) {
      message.addReasons(
          Reason.newBuilder()
              .setCode("client-unmount")
              .setText(
                  "the client on node %s has to say that it has unmounted the volume"
                      .formatted(claim.getNode())));
    }
  }

  private static void addCall(WhyClaimResponse.Builder message, LaneCall call) {
    if (call.hasCallsAhead()) {
      message.setCallsAhead(call.getCallsAhead());
    }
    if (call.hasEstimatedWait()) {
      message.setEstimatedWait(call.getEstimatedWait());
    }
    if (call.getPlace() == CallPlace.CALL_PLACE_QUEUED) {
      message.addReasons(
          Reason.newBuilder()
              .setCode("queued")
              .setText(
                  "%s is in line in lane %s, %d %s before it"
                      .formatted(
                          call.getRpc(),
                          call.getLane(),
                          call.getCallsAhead(),
                          call.getCallsAhead() == 1 ? "call is" : "calls are")));
    } else if (call.getPlace() == CallPlace.CALL_PLACE_OPEN) {
      message.addReasons(
          Reason.newBuilder()
              .setCode("call-open")
              .setText(
                  call.getWorker().isEmpty()
                      ? "%s waits for a worker to accept it".formatted(call.getRpc())
                      : "%s is out at worker %s".formatted(call.getRpc(), call.getWorker())));
    }
  }

  private void addChain(
      WhyClaimResponse.Builder message,
      @Nullable Claim claim,
      VolumeKey key,
      String alloc,
      TopicAccess access) {
    Consumer<String, byte[]> consumer = access.consumers().get();
    try {
      Instant now = clock.instant();
      Look look =
          new Look(
              new TopicTail(consumer, clock, MOST),
              access,
              ClaimChain.since(claim, now),
              now.plus(PATIENCE));
      message.addAllChain(chain(look, key, alloc)).setChainTruncated(look.truncated);
    } catch (KafkaException e) {
      throw new UnavailableException(
          "the brokers do not answer: " + e.getMessage(), Duration.ofSeconds(2));
    } finally {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  private static List<dev.berth.proto.api.Cause> chain(Look look, VolumeKey key, String alloc) {
    String volume = key.toString();
    ClaimChain chain = new ClaimChain(key, alloc);
    List<TopicTail.Found<ClaimDecision>> decisions =
        look.at(Topic.CLAIM_HISTORY, volume, ClaimDecision.class);
    if (decisions.isEmpty()) {
      return List.of();
    }
    Map<Object, Position> sources = new HashMap<>();
    look.at(Topic.ALLOC_EVENTS, volume, AllocEvent.class)
        .forEach(
            found -> sources.put(found.value(), ClaimChain.position(Topic.ALLOC_EVENTS, found)));
    look.at(Topic.COMMANDS, volume, Command.class)
        .forEach(found -> sources.put(found.value(), ClaimChain.position(Topic.COMMANDS, found)));
    look.at(Topic.SETTLEMENTS, volume, Settlement.class)
        .forEach(
            found -> sources.put(found.value(), ClaimChain.position(Topic.SETTLEMENTS, found)));
    decisions.forEach(decision -> chain.decision(decision, sources::get));
    for (String plugin : List.copyOf(chain.plugins())) {
      look.at(Topic.PLUGIN_WORK, plugin, Work.class)
          .forEach(found -> chain.work(found, Topic.PLUGIN_WORK));
      look.at(Topic.WORK_OUTCOMES, plugin, Outcome.class).forEach(chain::outcome);
    }
    for (String node : List.copyOf(chain.nodes())) {
      look.at(Topic.NODE_WORK, node, Work.class)
          .forEach(found -> chain.work(found, Topic.NODE_WORK));
    }
    return new ArrayList<>(chain.causes());
  }

  /** Reads of several topics within the same bounds. */
  private static final class Look {
    private final TopicTail tail;
    private final TopicAccess access;
    private final Instant since;
    private final Instant until;
    private boolean truncated;

    Look(TopicTail tail, TopicAccess access, Instant since, Instant until) {
      this.tail = tail;
      this.access = access;
      this.since = since;
      this.until = until;
    }

    <A extends SpecificRecord> List<TopicTail.Found<A>> at(Topic topic, String key, Class<A> type) {
      TopicTail.Tail<A> found =
          tail.read(
              access.topics().name(topic),
              key,
              key,
              since,
              until,
              AvroSerde.of(access.registry(), type).deserializer());
      truncated |= found.truncated();
      return found.records();
    }
  }
}
