package dev.berth.workers;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Call;
import dev.berth.records.CsiCall;
import dev.berth.records.Work;
import dev.berth.records.WorkCall;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.workers.accept.Accepted;
import dev.berth.workers.time.Moment;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Work as Streams would dispatch it. */
public final class WorkFixtures {

  /** When things happen in tests, unless they say otherwise. */
  public static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  /** The moment of {@link #NOON}. */
  public static final Moment AT_NOON = new Moment(5_000_000_000L, NOON);

  /** Time allowed for an attempt. */
  public static final Duration TIMEOUT = Duration.ofMinutes(2);

  static {
    // Avro copies records of trusted packages only; asking for a serde makes ours one.
    AvroSerde<Work> trusted = AvroSerde.of(new MockSchemaRegistryClient(), Work.class);
    trusted.close();
  }

  private WorkFixtures() {}

  /** A ControllerPublishVolume of volume vol-1 to node i-1. */
  public static Call.Builder call() {
    return call(CsiCall.CONTROLLER_PUBLISH);
  }

  /** A call of volume vol-1 for alloc a1 on node n1. */
  public static Call.Builder call(CsiCall rpc) {
    return Call.newBuilder()
        .setRpc(rpc)
        .setNamespace("default")
        .setVolume("v1")
        .setAlloc("a1")
        .setNode("n1")
        .setExternalVolume("vol-1")
        .setExternalNode("i-1")
        .setAccess(AccessMode.SINGLE_NODE_WRITER)
        .setAttachment(AttachmentMode.FILE_SYSTEM);
  }

  /** An attempt of plugin ebs with one call, for the pool. */
  public static Work.Builder work(String attempt) {
    return Work.newBuilder()
        .setAttemptId(attempt)
        .setPlugin("ebs")
        .setLane("ebs")
        .setRoute("pool")
        .setInstanceNode("n1")
        .setTimeoutMillis(TIMEOUT.toMillis())
        .setDispatchedAt(NOON)
        .setCalls(List.of(workCall(0, call().build())));
  }

  /** An attempt with a run of as many calls. */
  public static Work run(String attempt, int calls) {
    return work(attempt)
        .setCalls(
            IntStream.range(0, calls)
                .mapToObj(i -> workCall(i, call().setExternalVolume("vol-" + i).build()))
                .toList())
        .build();
  }

  /** The call of a run at a place. */
  public static WorkCall workCall(int index, Call call) {
    return WorkCall.newBuilder().setRequestId("r" + index).setCall(call).build();
  }

  /** The attempt, accepted at noon by worker w1 as acceptance x1. */
  public static Accepted accepted(Work work) {
    return Accepted.of(work, "w1", "x1", AT_NOON);
  }
}
