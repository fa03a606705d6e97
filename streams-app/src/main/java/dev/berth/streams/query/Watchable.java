package dev.berth.streams.query;

import com.google.protobuf.Message;
import dev.berth.schemas.topics.Topic;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A list as it is watched. That a record has been written says that an entry may have changed; how
 * it is, the list says.
 *
 * @param listing the list
 * @param every request for all of the list; what a watch asks for is put into the fields of the
 *     same names
 * @param change a change without anything in it
 * @param causes by topic, the key of the entry that a record with a key concerns; {@link Looks#ALL}
 *     where any may be
 * @param one the request for what stands under one key; empty where it was not asked for
 * @param removed what is said of an entry that is gone, by its key
 * @param <Q> request of the list
 * @param <T> entry
 * @param <R> answer of the list
 * @param <C> change
 */
record Watchable<Q extends Message, T extends Message, R extends Message, C extends Message>(
    Listing<Q, T, R> listing,
    Q every,
    C change,
    Map<Topic, Cause> causes,
    BiFunction<Q, String, Optional<Q>> one,
    Function<String, Message> removed) {

  /** Tells which entry a record concerns. */
  @FunctionalInterface
  interface Cause {
    /**
     * The key of the entry.
     *
     * @param key key of the record; null for one without
     * @return empty for a record that concerns none
     */
    Optional<String> of(@Nullable String key);
  }

  /** Any entry: nothing tells which. */
  static final Cause ANY = key -> Optional.of(Looks.ALL);

  /**
   * What stands before the first slashes of a key.
   *
   * @param parts how many parts of it (count)
   */
  static Cause first(int parts) {
    return key -> {
      int end = -1;
      for (int i = 0; i < parts && key != null; i++) {
        end = key.indexOf('/', end + 1);
        if (end < 0) {
          return i == parts - 1 ? Optional.of(key) : Optional.empty();
        }
      }
      return key == null ? Optional.empty() : Optional.of(key.substring(0, end));
    };
  }
}
