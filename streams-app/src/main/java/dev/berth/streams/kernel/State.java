package dev.berth.streams.kernel;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a decider may read: tables of immutable values, sorted by key as stores sort them: by its
 * bytes in UTF-8.
 */
public interface State {
  /**
   * The value under a key.
   *
   * @return null when there is none
   */
  <V> @Nullable V get(Table<V> table, String key);

  /** Every entry whose key starts with {@code prefix}, in key order; empty when there is none. */
  <V> List<Entry<V>> scan(Table<V> table, String prefix);

  /**
   * The first entry at or after {@code from} whose key starts with {@code prefix}.
   *
   * @return null when there is none
   */
  <V> @Nullable Entry<V> ceiling(Table<V> table, String prefix, String from);

  /**
   * The first entry whose key starts with {@code prefix}.
   *
   * @return null when there is none
   */
  default <V> @Nullable Entry<V> first(Table<V> table, String prefix) {
    return ceiling(table, prefix, prefix);
  }

  /**
   * Hands over the entries at or after {@code from} whose key starts with {@code prefix}, in key
   * order, for as long as they are taken.
   *
   * @param taker told each entry; returns whether it takes another
   */
  default <V> void walk(Table<V> table, String prefix, String from, Predicate<Entry<V>> taker) {
    Entry<V> next = ceiling(table, prefix, from);
    while (next != null && taker.test(next)) {
      next = ceiling(table, prefix, next.key() + '\0');
    }
  }

  /**
   * A key and its value.
   *
   * @param key key within its table
   * @param value value under it
   * @param <V> type of the value
   */
  record Entry<V>(String key, V value) {}
}
