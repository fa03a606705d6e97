package dev.berth.ops.demo;

import dev.berth.ops.demo.ClaimStory.ClaimId;
import dev.berth.records.AccessMode;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocGone;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClaimRequested;
import dev.berth.records.Happening;
import dev.berth.records.RejectCode;
import dev.berth.records.ReplyOutcome;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.serde.AvroSerde;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Records as the topics hold them; times are seconds after 1970 began. */
final class DemoRecords {

  private static final String NAMESPACE = "trace";
  private static final String SCHEDULER = "demo";

  static {
    // Avro's builders look up the classes of default values, once somebody vouches for them.
    AvroSerde.of(Registry.connect(Map.of(RegistryConfig.URL, "mock://demo")), ClaimReply.class);
  }

  private DemoRecords() {}

  static AllocEvent claim(ClaimId claim, long second) {
    return event(
        claim,
        second,
        ClaimRequested.newBuilder()
            .setRequestId("request")
            .setNode("n1")
            .setMode(ClaimMode.WRITE)
            .setAccess(AccessMode.SINGLE_NODE_WRITER)
            .build());
  }

  static AllocEvent event(ClaimId claim, long second, Object body) {
    return AllocEvent.newBuilder()
        .setScheduler(SCHEDULER)
        .setIndex(second)
        .setNamespace(NAMESPACE)
        .setVolume(claim.volume())
        .setAlloc(claim.alloc())
        .setAt(at(second))
        .setBody(body)
        .build();
  }

  static ClaimReply reply(
      ClaimId claim, ReplyOutcome outcome, Optional<RejectCode> code, String message, long second) {
    return ClaimReply.newBuilder()
        .setRequestId("request")
        .setScheduler(SCHEDULER)
        .setNamespace(NAMESPACE)
        .setVolume(claim.volume())
        .setAlloc(claim.alloc())
        .setNode("n1")
        .setClaimGeneration(1)
        .setOutcome(outcome)
        .setCode(code.orElse(null))
        .setMessage(message)
        .setAt(at(second))
        .build();
  }

  static Happening happening(String name, String alloc) {
    return Happening.newBuilder().setName(name).setAlloc(alloc).build();
  }

  static ClaimDecision decision(String volume, Happening... happenings) {
    return ClaimDecision.newBuilder()
        .setNamespace(NAMESPACE)
        .setVolume(volume)
        .setNow(at(0))
        .setPolicyVersion(1)
        .setEvent(event(new ClaimId("pod-0", volume), 0, new AllocGone()))
        .setHappenings(List.of(happenings))
        .setChanges(List.of())
        .build();
  }

  static Instant at(long second) {
    return Instant.EPOCH.plusSeconds(second);
  }
}
