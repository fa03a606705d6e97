package dev.berth.streams.topology;

import dev.berth.streams.codec.Codec;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The tables of one processor in one persistent, changelogged store of the processor's name, keyed
 * {@code table/key}. One store and not one for each table: every store of every partition is a
 * database to open and a changelog partition in each commit, and there would be hundreds. Names are
 * fixed, so that a new version starts on an old version's state.
 */
final class OwnedTables {
  private final String owner;
  private final TopologyContext context;
  private final RowBytes<?> rows;
  private final Set<String> tables = new LinkedHashSet<>();
  private final Set<String> kept = new LinkedHashSet<>();

  private OwnedTables(String owner, TopologyContext context, RowBytes<?> rows) {
    this.owner = owner;
    this.context = context;
    this.rows = rows;
  }

  /**
   * Starts the list.
   *
   * @param owner name of the processor
   * @param context makes the store and knows where the schema of its changelog is
   * @param row record of a row
   * @param wrap makes a row
   * @param unwrap the record in a row
   */
  static <R extends SpecificRecord> OwnedTables of(
      String owner,
      TopologyContext context,
      Class<R> row,
      Function<Object, R> wrap,
      Function<R, Object> unwrap) {
    return new OwnedTables(owner, context, new RowBytes<>(context.registry(), row, wrap, unwrap));
  }

  /** Adds a table. */
  <D, A extends SpecificRecord> OwnedTables with(Table<D> table, Codec<D, A> codec) {
    tables.add(table.name());
    rows.add(codec);
    return this;
  }

  /** Adds a table that is also kept in memory by the task that owns it, see {@link StoreState}. */
  <D, A extends SpecificRecord> OwnedTables kept(Table<D> table, Codec<D, A> codec) {
    kept.add(table.name());
    return with(table, codec);
  }

  /** The store to make. */
  Set<StoreBuilder<?>> builders() {
    return Set.of(
        Stores.keyValueStoreBuilder(
            context.stores().apply(owner), Serdes.String(), Serdes.ByteArray()));
  }

  /** The state over the store of a task, for the processor that writes it. */
  StoreState open(ProcessingContext context) {
    return over(context.getStateStore(owner), context.applicationId(), kept);
  }

  /**
   * The state over a store, for readers.
   *
   * @param applicationId application whose changelog it has
   */
  StoreState over(KeyValueStore<String, byte[]> store, String applicationId) {
    return over(store, applicationId, Set.of());
  }

  /**
   * The state over a store that is only read, and that another thread writes.
   *
   * @param applicationId application whose changelog it has
   */
  State reading(ReadOnlyKeyValueStore<String, byte[]> store, String applicationId) {
    return new StoredRows(store, rows, changelog(applicationId), tables);
  }

  private String changelog(String applicationId) {
    return applicationId + "-" + owner + "-changelog";
  }

  private StoreState over(
      KeyValueStore<String, byte[]> store, String applicationId, Set<String> toKeep) {
    return new StoreState(store, rows, changelog(applicationId), tables, toKeep);
  }
}
