package dev.berth.streams.topology;

import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The tables in one store, read as its rows are. Safe for use by many threads where the store is:
 * those that Kafka Streams hands out for queries are.
 */
final class StoredRows implements State {
  private final ReadOnlyKeyValueStore<String, byte[]> store;
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
  StoredRows(
      ReadOnlyKeyValueStore<String, byte[]> store,
      RowBytes<?> rows,
      String changelog,
      Set<String> tables) {
    this.store = store;
    this.rows = rows;
    this.changelog = changelog;
    this.tables = Set.copyOf(tables);
  }

  @Override
  public <V> @Nullable V get(Table<V> table, String key) {
    byte[] row = store.get(prefix(table) + key);
    return row == null ? null : table.type().cast(rows.decode(changelog, row));
  }

  @Override
  public <V> List<Entry<V>> scan(Table<V> table, String prefix) {
    List<Entry<V>> entries = new ArrayList<>();
    walk(table, prefix, prefix, entries::add);
    return entries;
  }

  @Override
  public <V> @Nullable Entry<V> ceiling(Table<V> table, String prefix, String from) {
    try (KeyValueIterator<String, byte[]> found = range(table, prefix, from)) {
      if (!found.hasNext()) {
        return null;
      }
      KeyValue<String, byte[]> first = found.next();
      return first.key.startsWith(prefix(table) + prefix) ? entry(table, first) : null;
    }
  }

  /** With one iterator for all of it, and not a search for each entry. */
  @Override
  public <V> void walk(Table<V> table, String prefix, String from, Predicate<Entry<V>> taker) {
    String all = prefix(table) + prefix;
    try (KeyValueIterator<String, byte[]> found = range(table, prefix, from)) {
      boolean wanted = true;
      while (wanted && found.hasNext()) {
        KeyValue<String, byte[]> row = found.next();
        wanted = row.key.startsWith(all) && taker.test(entry(table, row));
      }
    }
  }

  /** What a table's keys begin with in the store. */
  String prefix(Table<?> table) {
    if (!tables.contains(table.name())) {
      throw new IllegalStateException("no table " + table.name() + " in this store");
    }
    return table.name() + "/";
  }

  private KeyValueIterator<String, byte[]> range(Table<?> table, String prefix, String from) {
    return store.range(prefix(table) + from, behind(prefix(table) + prefix));
  }

  private <V> Entry<V> entry(Table<V> table, KeyValue<String, byte[]> row) {
    return new Entry<>(
        row.key.substring(table.name().length() + 1),
        table.type().cast(rows.decode(changelog, row.value)));
  }

  /**
   * The first key behind every key with the prefix, so that a search ends there. Prefixes end with
   * a mark of ours, a slash mostly, and so with a character that has a next one.
   */
  private static String behind(String prefix) {
    int last = prefix.length() - 1;
    return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
  }
}
