package dev.berth.bench.table;

import dev.berth.bench.system.Parts;
import dev.berth.bench.table.HopCase.Contender;
import dev.berth.bench.table.TableVolume.Kind;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.policy.Policies;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.kafka.streams.Topology;

/**
 * Berth and the bare hop side by side on one broker, each with as large a table, of which every
 * volume is claimed for good that is none of the batch.
 */
final class HopSide implements AutoCloseable {
  private static final List<Kind> KINDS = List.of(Kind.values());

  private final TableBroker broker;
  private final Deployment berth;
  private final Deployment bare;
  private final int size;
  private final Map<Kind, Integer> strides = new EnumMap<>(Kind.class);
  private final Parts parts = new Parts("an application of the bench");
  private final Map<Deployment, FullSpeed> loads = new HashMap<>();
  private final AtomicBoolean reading = new AtomicBoolean(true);
  private final List<Footprint> lives;
  private int uses;

  /**
   * Starts both.
   *
   * @param size volumes of each kind (count)
   * @param batches lives in a batch by kind (counts); divisors of the size
   */
  HopSide(TableBroker broker, int size, Map<Kind, Integer> batches) throws InterruptedException {
    this.broker = broker;
    this.size = size;
    batches.forEach((kind, lives) -> strides.put(kind, size / lives));
    berth = new Deployment(broker.connection(Topics.DEFAULT_PREFIX), KINDS);
    bare = new Deployment(broker.connection("bare"), KINDS);
    try {
      lives = rehearse();
      bare.provision(broker.registry());
      Topology hop =
          new BareHop(
                  bare.connection().topics(),
                  broker.registry(),
                  lives,
                  berth.application(),
                  reading::get)
              .build();
      for (Footprint life : lives) {
        int stride = stride(life.sample().kind());
        for (Deployment each : List.of(berth, bare)) {
          long unused = each.fill(life, size, number -> number % stride > 0);
        }
      }
      parts.keep(Application.berth(berth.connection()));
      parts.keep(Application.of(hop, bare.connection()));
      for (Deployment each : List.of(berth, bare)) {
        parts.keep(new Responder(each.connection(), broker.registry()));
        loads.put(each, parts.keep(new FullSpeed(each.connection(), broker.registry())));
      }
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  private List<Footprint> rehearse() throws InterruptedException {
    berth.provision(broker.registry());
    berth.introduceFleet();
    Policies policies = Application.config(berth.connection(), Path.of("/unused")).policies();
    return KINDS.stream()
        .map(
            kind ->
                Rehearsal.of(
                    berth.connection().topics(),
                    broker.registry(),
                    berth.application(),
                    policies,
                    kind))
        .toList();
  }

  /** What Berth does in the life of a volume of a kind. */
  Footprint life(Kind kind) {
    return lives.stream().filter(life -> life.sample().kind() == kind).findFirst().orElseThrow();
  }

  private int stride(Kind kind) {
    return strides.getOrDefault(kind, 1);
  }

  /** Lets a batch live. */
  HopRun run(HopCase one) throws InterruptedException {
    reading.set(one.contender() != Contender.BARE_WRITES);
    Deployment deployment = one.contender() == Contender.BERTH ? berth : bare;
    int stride = stride(one.kind());
    List<TableVolume> batch =
        IntStream.range(0, size / stride)
            .mapToObj(i -> new TableVolume(one.kind(), i * stride))
            .toList();
    long before = broker.bytes(deployment);
    FullSpeed load = loads.get(deployment);
    if (load == null) {
      throw new IllegalStateException("nothing is told to " + deployment);
    }
    FullSpeed.Times times = load.run(batch, ++uses);
    return new HopRun(times, broker.bytes(deployment) - before);
  }

  @Override
  public void close() {
    parts.close();
  }
}
