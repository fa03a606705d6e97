package dev.berth.streams.query;

import com.google.protobuf.Message;
import dev.berth.streams.kernel.KeyOrder;
import dev.berth.streams.topology.ProcessorStore;
import io.grpc.MethodDescriptor;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One list of the API.
 *
 * @param method its call
 * @param empty an answer without entries
 * @param store store that its entries are in
 * @param key key of an entry, by which the list is sorted
 * @param partitionKey what the request is about, if that is in one partition only
 * @param rows finds the entries of a partition
 * @param <Q> request
 * @param <T> entry
 * @param <R> answer
 */
record Listing<Q extends Message, T extends Message, R extends Message>(
    MethodDescriptor<Q, R> method,
    R empty,
    ProcessorStore store,
    Class<T> entry,
    Function<T, String> key,
    Function<Q, Optional<String>> partitionKey,
    Rows<Q, T> rows) {

  /** Finds entries. */
  @FunctionalInterface
  interface Rows<Q, T> {
    /**
     * Hands over the entries that match a request, in the order of their keys, for as long as they
     * are taken.
     *
     * @param after last key that is not wanted any more; empty for all
     */
    void walk(Reading reading, Q request, String after, Predicate<T> taker);
  }

  /**
   * Where a walk begins.
   *
   * @param prefix what the keys begin with
   * @param after last key that is not wanted any more; empty for all
   */
  static String from(String prefix, String after) {
    String next = after.isEmpty() ? prefix : after + '\0';
    return KeyOrder.OF_STORES.compare(next, prefix) < 0 ? prefix : next;
  }

  /** Its name, as tokens hold it. */
  String name() {
    return String.valueOf(method.getBareMethodName());
  }
}
