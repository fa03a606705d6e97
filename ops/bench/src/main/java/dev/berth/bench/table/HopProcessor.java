package dev.berth.bench.table;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** A processor of the bare hop. Owned by one task's thread. */
final class HopProcessor implements Processor<String, byte[], String, byte[]> {
  private final String name;
  private final HopSteps steps;
  private final BooleanSupplier reading;
  private @Nullable ProcessorContext<String, byte[]> context;
  private @Nullable KeyValueStore<String, byte[]> store;

  HopProcessor(String name, HopSteps steps, BooleanSupplier reading) {
    this.name = name;
    this.steps = steps;
    this.reading = reading;
  }

  @Override
  public void init(ProcessorContext<String, byte[]> given) {
    context = given;
    store = given.getStateStore(name);
  }

  @Override
  public void process(Record<String, byte[]> record) {
    String topic = context().recordMetadata().orElseThrow().topic();
    SpecificRecord read = steps.read(topic, record.value());
    String subject = StepName.subject(read);
    TableVolume volume = TableVolume.of(subject);
    for (HopSteps.Act act : steps.of(volume, subject, topic, read)) {
      act.on(volume, this);
    }
  }

  // ---- what acts do

  long now() {
    return context().currentSystemTimeMs();
  }

  /** Reads a row. */
  void get(String key) {
    byte[] row = reading.getAsBoolean() ? store().get(key) : null;
    if (row != null) {
      SpecificRecord unused = steps.row(row);
    }
  }

  /** Reads rows, as many as there were. */
  void range(String from, String to, int taken) {
    if (!reading.getAsBoolean()) {
      return;
    }
    try (KeyValueIterator<String, byte[]> rows = store().range(from, to)) {
      for (int i = 0; i < taken && rows.hasNext(); i++) {
        SpecificRecord unused = steps.row(rows.next().value);
      }
    }
  }

  /** Writes a row; null removes it. */
  void put(String key, byte @Nullable [] row) {
    store().put(key, row);
  }

  /** Sends a record. */
  void forward(Record<String, byte[]> record, String sink) {
    context().forward(record, sink);
  }

  private ProcessorContext<String, byte[]> context() {
    return Objects.requireNonNull(context);
  }

  private KeyValueStore<String, byte[]> store() {
    return Objects.requireNonNull(store);
  }
}
