package dev.berth.streams.topology;

import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.KeyOrder;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** A decider's tables in the store of one task. Used by the task's thread only. */
final class StoreState implements State {
  private final KeyValueStore<String, byte[]> store;
  private final RowBytes<?> rows;
  private final String changelog;
  private final StoredRows stored;
  private final Set<String> toKeep;
  private final Map<String, NavigableMap<String, Object>> kept = new HashMap<>();

  /**
   * A row that was made.
   *
   * @param key key in the store
   * @param bytes its bytes; null removes
   * @param change the change that it is of
   */
  // Made, written once and forgotten: nobody compares it.
  @SuppressWarnings("ArrayRecordComponent")
  record Row(String key, byte @Nullable [] bytes, Change change) {}

  /**
   * Wraps a store.
   *
   * @param store the store, keyed {@code table/key}
   * @param rows its rows
   * @param changelog its changelog topic, which has the schema of the rows
   * @param tables names of the tables in it
   * @param toKeep those that are read into memory when they are first asked for, and answered from
   *     there from then on. For tables through which rows pass in great numbers while few are in
   *     them: the store finds the first of those only behind the marks that all the removed ones
   *     have left, and every decision asks for it. Only for the one who writes the store: what
   *     others write is not seen
   */
  StoreState(
      KeyValueStore<String, byte[]> store,
      RowBytes<?> rows,
      String changelog,
      Set<String> tables,
      Set<String> toKeep) {
    this.store = store;
    this.rows = rows;
    this.changelog = changelog;
    this.stored = new StoredRows(store, rows, changelog, tables);
    this.toKeep = Set.copyOf(toKeep);
  }

  /**
   * Makes the rows of a complete decision's changes; nothing is written yet.
   *
   * @return rows in the order of the changes
   */
  List<Row> rowsOf(List<Change> changes) {
    List<Row> made = new ArrayList<>(changes.size());
    for (Change change : changes) {
      String key = stored.prefix(change.table()) + change.key();
      byte[] row = change instanceof Change.Put<?> put ? rows.encode(changelog, put.value()) : null;
      made.add(new Row(key, RecordSize.checked(changelog, row), change));
    }
    return made;
  }

  /** Writes rows that were made. */
  void write(List<Row> made) {
    for (Row row : made) {
      store.put(row.key(), row.bytes());
      NavigableMap<String, Object> inMemory = kept.get(row.change().table().name());
      if (inMemory != null && row.change() instanceof Change.Put<?> put) {
        inMemory.put(put.key(), put.value());
      } else if (inMemory != null) {
        inMemory.remove(row.change().key());
      }
    }
  }

  @Override
  public <V> @Nullable V get(Table<V> table, String key) {
    NavigableMap<String, Object> inMemory = inMemory(table);
    if (inMemory != null) {
      return table.type().cast(inMemory.get(key));
    }
    return stored.get(table, key);
  }

  @Override
  public <V> List<Entry<V>> scan(Table<V> table, String prefix) {
    NavigableMap<String, Object> inMemory = inMemory(table);
    if (inMemory == null) {
      return stored.scan(table, prefix);
    }
    List<Entry<V>> entries = new ArrayList<>();
    for (Map.Entry<String, Object> row : inMemory.tailMap(prefix, true).entrySet()) {
      if (!row.getKey().startsWith(prefix)) {
        break;
      }
      entries.add(new Entry<>(row.getKey(), table.type().cast(row.getValue())));
    }
    return entries;
  }

  @Override
  public <V> @Nullable Entry<V> ceiling(Table<V> table, String prefix, String from) {
    NavigableMap<String, Object> inMemory = inMemory(table);
    if (inMemory != null) {
      Map.Entry<String, Object> first = inMemory.ceilingEntry(from);
      return first != null && first.getKey().startsWith(prefix)
          ? new Entry<>(first.getKey(), table.type().cast(first.getValue()))
          : null;
    }
    return stored.ceiling(table, prefix, from);
  }

  /** What is kept of a table; null when it is not kept. */
  private @Nullable NavigableMap<String, Object> inMemory(Table<?> table) {
    if (!toKeep.contains(table.name())) {
      return null;
    }
    NavigableMap<String, Object> known = kept.get(table.name());
    if (known == null) {
      NavigableMap<String, Object> read = new TreeMap<>(KeyOrder.OF_STORES);
      stored.scan(table, "").forEach(row -> read.put(row.key(), row.value()));
      kept.put(table.name(), read);
      return read;
    }
    return known;
  }
}
