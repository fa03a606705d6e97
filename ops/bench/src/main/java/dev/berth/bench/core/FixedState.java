package dev.berth.bench.core;

import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A state that does not change and costs as little as can be, so that what is measured is the
 * decision: a look-up by hash for a key, a binary search for the rest. Keys are ASCII, for which
 * the order of strings is that of stores.
 */
final class FixedState implements State {
  private final Map<String, Rows> tables = new HashMap<>();

  private record Rows(Map<String, Object> byKey, List<String> keys) {
    static final Rows NONE = new Rows(Map.of(), List.of());

    int from(String key) {
      int found = Collections.binarySearch(keys, key);
      return found >= 0 ? found : -found - 1;
    }
  }

  private FixedState() {}

  /** The rows of several states with different keys, together. */
  static FixedState of(List<MapState> parts, List<Table<?>> tables) {
    FixedState state = new FixedState();
    for (Table<?> table : tables) {
      TreeMap<String, Object> rows = new TreeMap<>();
      parts.forEach(part -> part.scan(table, "").forEach(row -> rows.put(row.key(), row.value())));
      state.tables.put(table.name(), new Rows(new HashMap<>(rows), List.copyOf(rows.keySet())));
    }
    return state;
  }

  private Rows rows(Table<?> table) {
    return tables.getOrDefault(table.name(), Rows.NONE);
  }

  @Override
  public <V> @Nullable V get(Table<V> table, String key) {
    return table.type().cast(rows(table).byKey().get(key));
  }

  @Override
  public <V> List<Entry<V>> scan(Table<V> table, String prefix) {
    Rows rows = rows(table);
    List<Entry<V>> found = new ArrayList<>();
    for (int i = rows.from(prefix); i < rows.keys().size(); i++) {
      if (!rows.keys().get(i).startsWith(prefix)) {
        break;
      }
      found.add(entry(table, rows, i));
    }
    return found;
  }

  @Override
  public <V> @Nullable Entry<V> ceiling(Table<V> table, String prefix, String from) {
    Rows rows = rows(table);
    int i = rows.from(from);
    return i < rows.keys().size() && rows.keys().get(i).startsWith(prefix)
        ? entry(table, rows, i)
        : null;
  }

  private static <V> Entry<V> entry(Table<V> table, Rows rows, int i) {
    String key = rows.keys().get(i);
    V value = table.type().cast(rows.byKey().get(key));
    if (value == null) {
      throw new IllegalStateException("a null under " + key + " of " + table.name());
    }
    return new Entry<>(key, value);
  }
}
