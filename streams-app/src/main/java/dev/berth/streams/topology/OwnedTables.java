package dev.berth.streams.topology;

import dev.berth.streams.codec.Codec;
import dev.berth.streams.kernel.Table;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The tables of one processor as persistent, changelogged stores. A store's name is the owner's
 * name and the table's ({@code volume-claims-claims}): fixed, so that a new version starts on an
 * old version's state, and different for the copies of a table that several processors keep.
 */
final class OwnedTables {
  private final String owner;
  private final TopologyContext context;
  private final Map<String, StoreBuilder<?>> builders = new LinkedHashMap<>();
  private final Map<String, String> stores = new LinkedHashMap<>();

  /**
   * Starts the list.
   *
   * @param owner name of the processor
   * @param context makes the stores and knows where the schemas of their changelogs are
   */
  OwnedTables(String owner, TopologyContext context) {
    this.owner = owner;
    this.context = context;
  }

  /** Adds a table. */
  <D, A extends SpecificRecord> OwnedTables with(Table<D> table, Codec<D, A> codec) {
    String store = storeName(owner, table);
    stores.put(table.name(), store);
    builders.put(
        store,
        Stores.keyValueStoreBuilder(
            context.stores().apply(store),
            Serdes.String(),
            DomainSerde.of(context.registry(), codec)));
    return this;
  }

  /** Name of the store behind a table of an owner. */
  static String storeName(String owner, Table<?> table) {
    return owner + "-" + table.name();
  }

  /** The stores to make. */
  Set<StoreBuilder<?>> builders() {
    return new LinkedHashSet<>(builders.values());
  }

  /** The state over the stores of a task. */
  StoreState open(ProcessingContext context) {
    Map<String, KeyValueStore<String, Object>> opened = new HashMap<>();
    stores.forEach(
        (table, store) ->
            opened.put(table, ((ProcessorContext<?, ?>) context).getStateStore(store)));
    return new StoreState(opened);
  }
}
