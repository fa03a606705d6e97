package dev.berth.streams.topology;

import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** A decider's tables in the store of one task. Used by the task's thread only. */
final class StoreState implements State {
  private static final StringSerializer KEYS = new StringSerializer();

  private final KeyValueStore<String, Object> store;
  private final Set<String> tables;

  /**
   * Wraps a store.
   *
   * @param store the store, keyed {@code table/key}
   * @param tables names of the tables in it
   */
  StoreState(KeyValueStore<String, Object> store, Set<String> tables) {
    this.store = store;
    this.tables = Set.copyOf(tables);
  }

  /** Writes a complete decision's changes. */
  void applyAll(List<Change> changes) {
    for (Change change : changes) {
      String row = prefix(change.table()) + change.key();
      if (change instanceof Change.Put<?> put) {
        store.put(row, put.value());
      } else {
        store.delete(row);
      }
    }
  }

  @Override
  public <V> @Nullable V get(Table<V> table, String key) {
    Object value = store.get(prefix(table) + key);
    return value == null ? null : table.type().cast(value);
  }

  @Override
  public <V> List<Entry<V>> scan(Table<V> table, String prefix) {
    List<Entry<V>> found = new ArrayList<>();
    try (KeyValueIterator<String, Object> rows = store.prefixScan(prefix(table) + prefix, KEYS)) {
      while (rows.hasNext()) {
        found.add(entry(table, rows.next()));
      }
    }
    return found;
  }

  @Override
  public <V> @Nullable Entry<V> ceiling(Table<V> table, String prefix, String from) {
    try (KeyValueIterator<String, Object> rows =
        store.range(prefix(table) + from, end(prefix(table) + prefix))) {
      if (!rows.hasNext()) {
        return null;
      }
      Entry<V> first = entry(table, rows.next());
      return first.key().startsWith(prefix) ? first : null;
    }
  }

  private static <V> Entry<V> entry(Table<V> table, KeyValue<String, Object> row) {
    return new Entry<>(row.key.substring(table.name().length() + 1), table.type().cast(row.value));
  }

  /** A key behind every key with the prefix, so that a search ends there. */
  private static String end(String prefix) {
    return prefix + Character.toString(Character.MAX_CODE_POINT);
  }

  private String prefix(Table<?> table) {
    if (!tables.contains(table.name())) {
      throw new IllegalStateException("no table " + table.name() + " in this store");
    }
    return table.name() + "/";
  }
}
