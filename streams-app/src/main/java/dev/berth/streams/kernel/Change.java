package dev.berth.streams.kernel;

/**
 * One write to a decider's state. The state is the fold of the changes, live and on a replay alike.
 */
public sealed interface Change {
  /** Table written to. */
  Table<?> table();

  /** Key written under. */
  String key();

  /**
   * A value put under a key.
   *
   * @param table table written to
   * @param key key written under
   * @param value new value
   * @param <V> type of the value
   */
  record Put<V>(Table<V> table, String key, V value) implements Change {}

  /**
   * A key removed.
   *
   * @param table table written to
   * @param key key removed
   */
  record Remove(Table<?> table, String key) implements Change {}
}
