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

  private final KeyValueStore<String, byte[]> store;
  private final RowBytes<?> rows;
  private final String changelog;
  private final Set<String> tables;

  /**
   * Wraps a store.
   *
   * @param store the store, keyed {@code table/key}
   * @param rows its rows
   * @param changelog its changelog topic, which has the schema of the rows
   * @param tables names of the tables in it
   */
  StoreState(
      KeyValueStore<String, byte[]> store, RowBytes<?> rows, String changelog, Set<String> tables) {
    this.store = store;
    this.rows = rows;
    this.changelog = changelog;
    this.tables = Set.copyOf(tables);
  }

  /**
   * Makes the rows of a complete decision's changes; nothing is written yet.
   *
   * @return rows in the order of the changes; a null value removes
   */
  List<KeyValue<String, byte[]>> rowsOf(List<Change> changes) {
    List<KeyValue<String, byte[]>> made = new ArrayList<>(changes.size());
    for (Change change : changes) {
      String key = prefix(change.table()) + change.key();
      byte[] row = change instanceof Change.Put<?> put ? rows.encode(changelog, put.value()) : null;
      made.add(KeyValue.pair(key, RecordSize.checked(changelog, row)));
    }
    return made;
  }

  /** Writes rows that were made. */
  void write(List<KeyValue<String, byte[]>> made) {
    made.forEach(row -> store.put(row.key, row.value));
  }

  @Override
  public <V> @Nullable V get(Table<V> table, String key) {
    byte[] row = store.get(prefix(table) + key);
    return row == null ? null : table.type().cast(rows.decode(changelog, row));
  }

  @Override
  public <V> List<Entry<V>> scan(Table<V> table, String prefix) {
    List<Entry<V>> entries = new ArrayList<>();
    try (KeyValueIterator<String, byte[]> found = store.prefixScan(prefix(table) + prefix, KEYS)) {
      while (found.hasNext()) {
        entries.add(entry(table, found.next()));
      }
    }
    return entries;
  }

  @Override
  public <V> @Nullable Entry<V> ceiling(Table<V> table, String prefix, String from) {
    try (KeyValueIterator<String, byte[]> found =
        store.range(prefix(table) + from, end(prefix(table) + prefix))) {
      if (!found.hasNext()) {
        return null;
      }
      Entry<V> first = entry(table, found.next());
      return first.key().startsWith(prefix) ? first : null;
    }
  }

  private <V> Entry<V> entry(Table<V> table, KeyValue<String, byte[]> row) {
    return new Entry<>(
        row.key.substring(table.name().length() + 1),
        table.type().cast(rows.decode(changelog, row.value)));
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
