package dev.berth.streams.metrics;

import dev.berth.streams.kernel.State;
import dev.berth.streams.topology.ProcessorStore;
import dev.berth.streams.topology.TopologyContext;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of the partitions that this instance owns now; warm copies are not among them, or they
 * would be counted twice.
 */
final class LocalTables implements Function<ProcessorStore, List<State>> {
  private static final Logger LOG = LoggerFactory.getLogger(LocalTables.class);

  private final KafkaStreams streams;
  private final TopologyContext context;
  private final Map<ProcessorStore, Function<ReadOnlyKeyValueStore<String, byte[]>, State>>
      readers = new EnumMap<>(ProcessorStore.class);

  LocalTables(KafkaStreams streams, TopologyContext context, String applicationId) {
    this.streams = streams;
    this.context = context;
    for (ProcessorStore store : ProcessorStore.values()) {
      readers.put(store, store.reader(context, applicationId));
    }
  }

  @Override
  public List<State> apply(ProcessorStore store) {
    List<State> found = new ArrayList<>();
    for (int partition = 0; partition < store.partitions(context); partition++) {
      try {
        ReadOnlyKeyValueStore<String, byte[]> rows =
            streams.store(
                StoreQueryParameters.<ReadOnlyKeyValueStore<String, byte[]>>fromNameAndType(
                        store.storeName(), QueryableStoreTypes.keyValueStore())
                    .withPartition(partition));
        Function<ReadOnlyKeyValueStore<String, byte[]>, State> reader = readers.get(store);
        if (reader != null) {
          found.add(reader.apply(rows));
        }
      } catch (InvalidStateStoreException elsewhere) {
        // Another instance has it, or nobody for now.
        LOG.trace("not here store={} partition={}", store, partition, elsewhere);
      }
    }
    return found;
  }
}
