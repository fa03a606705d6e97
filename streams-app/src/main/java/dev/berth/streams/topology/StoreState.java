package dev.berth.streams.topology;

import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** A decider's tables in the stores of one task. Used by the task's thread only. */
final class StoreState implements State {
  private static final StringSerializer KEYS = new StringSerializer();

  private final Map<String, KeyValueStore<String, Object>> stores;

  /**
   * Wraps stores.
   *
   * @param stores the store of each table, by table name
   */
  StoreState(Map<String, KeyValueStore<String, Object>> stores) {
    this.stores = Map.copyOf(stores);
  }

  /** Writes a complete decision's changes. */
  void applyAll(List<Change> changes) {
    for (Change change : changes) {
      KeyValueStore<String, Object> store = store(change.table());
      if (change instanceof Change.Put<?> put) {
        store.put(put.key(), put.value());
      } else {
        store.delete(change.key());
      }
    }
  }

  @Override
  public <V> @Nullable V get(Table<V> table, String key) {
    Object value = store(table).get(key);
    return value == null ? null : table.type().cast(value);
  }

  @Override
  public <V> List<Entry<V>> scan(Table<V> table, String prefix) {
    List<Entry<V>> found = new ArrayList<>();
    try (KeyValueIterator<String, Object> rows = prefixed(table, prefix)) {
      while (rows.hasNext()) {
        KeyValue<String, Object> row = rows.next();
        found.add(new Entry<>(row.key, table.type().cast(row.value)));
      }
    }
    return found;
  }

  @Override
  public <V> @Nullable Entry<V> ceiling(Table<V> table, String prefix, String from) {
    try (KeyValueIterator<String, Object> rows = store(table).range(from, end(prefix))) {
      if (!rows.hasNext()) {
        return null;
      }
      KeyValue<String, Object> row = rows.next();
      return row.key.startsWith(prefix) ? new Entry<>(row.key, table.type().cast(row.value)) : null;
    }
  }

  /**
   * A key behind every key with the prefix, so that a search ends there; null is the end of the
   * table.
   */
  private static @Nullable String end(String prefix) {
    return prefix.isEmpty() ? null : prefix + Character.toString(Character.MAX_CODE_POINT);
  }

  private KeyValueIterator<String, Object> prefixed(Table<?> table, String prefix) {
    // An empty prefix is no prefix: the whole table.
    return prefix.isEmpty() ? store(table).all() : store(table).prefixScan(prefix, KEYS);
  }

  private KeyValueStore<String, Object> store(Table<?> table) {
    KeyValueStore<String, Object> store = stores.get(table.name());
    if (store == null) {
      throw new IllegalStateException("no store for table " + table.name());
    }
    return store;
  }
}
