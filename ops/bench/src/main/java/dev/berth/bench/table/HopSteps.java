package dev.berth.bench.table;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** What a part of the bare hop does with each record: the steps of its footprints, as stencils. */
final class HopSteps {
  private final Topics topics;
  private final Registry registry;
  private final String changelog;
  private final Class<? extends SpecificRecord> rowType;
  private final Deserializer<? extends SpecificRecord> rows;
  private final Map<Topic, Deserializer<? extends SpecificRecord>> readers =
      new EnumMap<>(Topic.class);
  private final Map<String, List<Act>> steps = new HashMap<>();

  /** One thing that is done for a volume. */
  interface Act {
    /** Does it. */
    void on(TableVolume volume, HopProcessor hop);
  }

  /**
   * Prepares the steps of a part.
   *
   * @param changelog topic whose subject has the schema of the rows
   */
  HopSteps(
      Topics topics,
      Registry registry,
      BareHop.Part part,
      List<Footprint> lives,
      String changelog) {
    this.topics = topics;
    this.registry = registry;
    this.changelog = changelog;
    rowType = BareHop.row(part);
    rows = AvroSerde.of(registry, rowType).deserializer();
    for (Topic source : BareHop.sources(part)) {
      readers.put(source, AvroSerde.of(registry, source.record().orElseThrow()).deserializer());
    }
    for (Footprint life : lives) {
      life.steps()
          .forEach(
              (name, step) -> {
                if (step.processor().equals(part.store())) {
                  steps.put(name, acts(step, life));
                }
              });
    }
  }

  /** Reads a record as Berth does. */
  SpecificRecord read(String topic, byte[] value) {
    Topic source = topics.find(topic).orElseThrow();
    Deserializer<? extends SpecificRecord> reader = readers.get(source);
    if (reader == null) {
      throw new IllegalArgumentException(topic + " is none of the sources");
    }
    return reader.deserialize(topic, value);
  }

  /** Reads a row as Berth does. */
  SpecificRecord row(byte[] value) {
    return rows.deserialize(changelog, value);
  }

  /**
   * What is done with a record.
   *
   * @throws IllegalStateException when Berth never met such a record
   */
  List<Act> of(TableVolume volume, String subject, String topic, SpecificRecord record) {
    String name = StepName.of(volume, subject, topics.find(topic).orElseThrow(), record);
    List<Act> acts = steps.get(name);
    if (acts == null) {
      throw new IllegalStateException("no life has a step '" + name + "': " + steps.keySet());
    }
    return acts;
  }

  private List<Act> acts(Tape.Step step, Footprint life) {
    List<Act> acts = new ArrayList<>();
    for (Tape.Touch touch : step.touches()) {
      KeyStencil key = new KeyStencil(touch.key(), life.names());
      acts.add(
          switch (touch.kind()) {
            case GET -> (volume, hop) -> hop.get(key.of(volume));
            case RANGE -> range(touch, key, life);
            case PUT -> {
              Stencil row = row(touch.value(), life.names());
              yield (volume, hop) -> hop.put(key.of(volume), row == null ? null : row.of(volume));
            }
            case FORWARD -> forward(touch, key, life);
          });
    }
    return List.copyOf(acts);
  }

  private static Act range(Tape.Touch touch, KeyStencil from, Footprint life) {
    KeyStencil to = new KeyStencil(String.valueOf(touch.to()), life.names());
    int taken = touch.taken();
    return (volume, hop) -> hop.range(from.of(volume), to.of(volume), taken);
  }

  private Act forward(Tape.Touch touch, KeyStencil key, Footprint life) {
    String sink = String.valueOf(touch.sink());
    Topic topic =
        Arrays.stream(Topic.values())
            .filter(it -> sink.endsWith("-to-" + it.suffix()))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("nothing is sent to " + sink));
    Stencil value =
        stencil(topics.name(topic), topic.record().orElseThrow(), touch.value(), life.names());
    Header[] headers = touch.headers() == null ? new Header[0] : touch.headers().toArray();
    return (volume, hop) ->
        hop.forward(
            new Record<>(
                key.of(volume),
                value == null ? null : value.of(volume),
                hop.now(),
                new RecordHeaders(headers)),
            sink);
  }

  private @Nullable Stencil row(byte @Nullable [] value, List<SampleName> names) {
    return stencil(changelog, rowType, value, names);
  }

  private <A extends SpecificRecord> @Nullable Stencil stencil(
      String topic, Class<A> type, byte @Nullable [] value, List<SampleName> names) {
    if (value == null) {
      return null;
    }
    AvroSerde<A> serde = AvroSerde.of(registry, type);
    A record = serde.deserializer().deserialize(topic, value);
    Serializer<A> serializer = serde.serializer();
    Supplier<byte[]> make = () -> serializer.serialize(topic, record);
    return new Stencil(make, names);
  }
}
