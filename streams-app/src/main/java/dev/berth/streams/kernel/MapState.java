package dev.berth.streams.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * State in memory: the fold of changes. Not thread-safe; made for tests, replays and rebuilding a
 * table at a time.
 */
public final class MapState implements State {
  private final Map<String, NavigableMap<String, Object>> tables = new TreeMap<>();

  /** Applies one change. */
  public void apply(Change change) {
    NavigableMap<String, Object> rows =
        tables.computeIfAbsent(change.table().name(), name -> new TreeMap<>(KeyOrder.OF_STORES));
    if (change instanceof Change.Put<?> put) {
      rows.put(put.key(), put.value());
    } else {
      rows.remove(change.key());
    }
  }

  /** Applies changes in order. */
  public void applyAll(Iterable<Change> changes) {
    changes.forEach(this::apply);
  }

  @Override
  public <V> @Nullable V get(Table<V> table, String key) {
    Object value = rows(table).get(key);
    return value == null ? null : table.type().cast(value);
  }

  @Override
  public <V> List<Entry<V>> scan(Table<V> table, String prefix) {
    List<Entry<V>> found = new ArrayList<>();
    for (Map.Entry<String, Object> row : rows(table).tailMap(prefix, true).entrySet()) {
      if (!row.getKey().startsWith(prefix)) {
        break;
      }
      found.add(new Entry<>(row.getKey(), table.type().cast(row.getValue())));
    }
    return found;
  }

  @Override
  public <V> @Nullable Entry<V> ceiling(Table<V> table, String prefix, String from) {
    Map.Entry<String, Object> row = rows(table).ceilingEntry(from);
    return row == null || !row.getKey().startsWith(prefix)
        ? null
        : new Entry<>(row.getKey(), table.type().cast(row.getValue()));
  }

  private NavigableMap<String, Object> rows(Table<?> table) {
    return tables.getOrDefault(table.name(), new TreeMap<>());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MapState that && withoutEmpty(tables).equals(withoutEmpty(that.tables));
  }

  @Override
  public int hashCode() {
    return withoutEmpty(tables).hashCode();
  }

  @Override
  public String toString() {
    return tables.toString();
  }

  private static Map<String, NavigableMap<String, Object>> withoutEmpty(
      Map<String, NavigableMap<String, Object>> tables) {
    Map<String, NavigableMap<String, Object>> kept = new TreeMap<>(tables);
    kept.values().removeIf(Map::isEmpty);
    return kept;
  }
}
