package dev.berth.streams.kernel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A decision in the making: reads see the base state under the changes made so far, the base is
 * never written. Used by one thread for one decision.
 *
 * @param <E> type of the effects
 */
public final class Draft<E> implements State {
  private final State base;
  private final Map<String, NavigableMap<String, Change>> overlay = new LinkedHashMap<>();
  private final Map<String, Map<String, Optional<?>>> known = new HashMap<>();
  private final List<E> effects = new ArrayList<>();

  /** Starts a decision on a state. */
  public Draft(State base) {
    this.base = base;
  }

  /** Puts a value; leaves no change when it is what the base has. */
  public <V> void put(Table<V> table, String key, V value) {
    if (value.equals(stored(table, key))) {
      rows(table).remove(key);
    } else {
      record(new Change.Put<>(table, key, value));
    }
  }

  /** Removes a key; leaves no change when the base has none. */
  public void remove(Table<?> table, String key) {
    if (stored(table, key) == null) {
      rows(table).remove(key);
    } else {
      record(new Change.Remove(table, key));
    }
  }

  /** Takes over a change that was decided elsewhere. */
  public void apply(Change change) {
    record(change);
  }

  /** Adds an effect behind those added before. */
  public void emit(E effect) {
    effects.add(effect);
  }

  /** The decision as it stands. */
  public Decision<E> decision() {
    List<Change> changes = new ArrayList<>();
    overlay.values().forEach(rows -> changes.addAll(rows.values()));
    return new Decision<>(changes, effects);
  }

  @Override
  public <V> @Nullable V get(Table<V> table, String key) {
    Change change = rows(table).get(key);
    return change == null ? stored(table, key) : value(table, change);
  }

  @Override
  public <V> List<Entry<V>> scan(Table<V> table, String prefix) {
    NavigableMap<String, Change> rows = rows(table);
    List<Entry<V>> stored = base.scan(table, prefix);
    stored.forEach(row -> known(table).put(row.key(), Optional.of(row.value())));
    if (rows.isEmpty()) {
      return stored;
    }
    List<Entry<V>> merged = new ArrayList<>();
    for (Entry<V> entry : stored) {
      if (!rows.containsKey(entry.key())) {
        merged.add(entry);
      }
    }
    for (Change change : rows.tailMap(prefix, true).values()) {
      if (!change.key().startsWith(prefix)) {
        break;
      }
      V value = value(table, change);
      if (value != null) {
        merged.add(new Entry<>(change.key(), value));
      }
    }
    merged.sort(Comparator.comparing(Entry::key, KeyOrder.OF_STORES));
    return merged;
  }

  @Override
  public <V> @Nullable Entry<V> ceiling(Table<V> table, String prefix, String from) {
    NavigableMap<String, Change> rows = rows(table);
    Entry<V> stored = base.ceiling(table, prefix, from);
    while (stored != null && rows.containsKey(stored.key())) {
      stored = base.ceiling(table, prefix, stored.key() + '\0');
    }
    for (Change change : rows.tailMap(from, true).values()) {
      boolean beyond = stored != null && KeyOrder.OF_STORES.compare(change.key(), stored.key()) > 0;
      if (beyond || !change.key().startsWith(prefix)) {
        break;
      }
      V value = value(table, change);
      if (value != null) {
        return new Entry<>(change.key(), value);
      }
    }
    return stored;
  }

  /** What the base has, asked of it once: it has to find and decode a row each time. */
  private <V> @Nullable V stored(Table<V> table, String key) {
    Map<String, Optional<?>> rows = known(table);
    Optional<?> row = rows.get(key);
    if (row == null) {
      row = Optional.ofNullable(base.get(table, key));
      rows.put(key, row);
    }
    return table.type().cast(row.orElse(null));
  }

  private Map<String, Optional<?>> known(Table<?> table) {
    return known.computeIfAbsent(table.name(), name -> new HashMap<>());
  }

  private NavigableMap<String, Change> rows(Table<?> table) {
    return overlay.computeIfAbsent(table.name(), name -> new TreeMap<>(KeyOrder.OF_STORES));
  }

  private void record(Change change) {
    rows(change.table()).put(change.key(), change);
  }

  private static <V> @Nullable V value(Table<V> table, Change change) {
    return change instanceof Change.Put<?> put ? table.type().cast(put.value()) : null;
  }
}
