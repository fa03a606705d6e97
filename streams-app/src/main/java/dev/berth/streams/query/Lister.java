package dev.berth.streams.query;

import com.google.protobuf.Message;
import dev.berth.proto.api.Freshness;
import dev.berth.proto.api.ReadOptions;
import dev.berth.schemas.topics.Keys;
import dev.berth.streams.kernel.KeyOrder;
import io.grpc.Context;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Reads one page of a list: every instance gives the first entries behind the token, they are
 * merged by key, and the page is cut.
 */
final class Lister {
  private static final int USUAL_PAGE = 100;
  private static final int LARGEST_PAGE = 1_000;

  /** Where a page ends, however few its entries are (bytes): clients take 4 MB by default. */
  private static final int LARGEST_ANSWER = 3_000_000;

  private final Fan fan;

  Lister(Fan fan) {
    this.fan = fan;
  }

  /**
   * Reads a page.
   *
   * @throws UnavailableException when a part does not answer
   * @throws io.grpc.StatusRuntimeException INVALID_ARGUMENT for a token of another list, or a
   *     negative size
   */
  <Q extends Message, T extends Message, R extends Message> R page(
      Listing<Q, T, R> listing, Q request, ReadOptions options) {
    int size = size(Fields.pageSize(request));
    String after = PageToken.last(listing.name(), Fields.pageToken(request));
    Answers<R> answers =
        fan.ask(
            new Question<>(
                listing.store(),
                listing.method(),
                request,
                readings -> local(listing, request, after, size, readings)),
            partitions(listing, request),
            options);
    List<T> entries = new ArrayList<>();
    for (R part : answers.parts()) {
      Fields.entries(part).forEach(entry -> entries.add(listing.entry().cast(entry)));
    }
    List<T> known = new ArrayList<>(entries);
    Optional<String> end = knownUpTo(listing, answers.parts());
    end.ifPresent(
        last ->
            known.removeIf(
                entry -> KeyOrder.OF_STORES.compare(listing.key().apply(entry), last) > 0));
    return Fields.typed(
        listing.empty(), page(listing, known, size, end.isPresent(), answers.freshness()));
  }

  /**
   * Where the shortest page of an instance that has more ends: what others have behind it may not
   * be told before what that one has.
   */
  private static <R extends Message> Optional<String> knownUpTo(
      Listing<?, ?, R> listing, List<R> parts) {
    return parts.stream()
        .map(Fields::nextPageToken)
        .filter(token -> !token.isEmpty())
        .map(token -> PageToken.last(listing.name(), token))
        .min(KeyOrder.OF_STORES);
  }

  private <Q extends Message, T extends Message, R extends Message> Set<Integer> partitions(
      Listing<Q, T, R> listing, Q request) {
    int count = fan.partitions(listing.store());
    return listing
        .partitionKey()
        .apply(request)
        .map(key -> Set.of(Keys.partition(key, count)))
        .orElseGet(() -> IntStream.range(0, count).boxed().collect(Collectors.toSet()));
  }

  private static <Q extends Message, T extends Message, R extends Message> R local(
      Listing<Q, T, R> listing, Q request, String after, int size, List<Reading> readings) {
    List<T> entries = new ArrayList<>();
    for (Reading reading : readings) {
      List<T> found = new ArrayList<>();
      listing
          .rows()
          .walk(
              reading,
              request,
              after,
              entry -> {
                requireWanted();
                found.add(entry);
                return found.size() <= size;
              });
      entries.addAll(found);
    }
    return Fields.typed(
        listing.empty(), page(listing, entries, size, false, Freshness.getDefaultInstance()));
  }

  /** A list that nobody waits for any more need not be read to its end. */
  static void requireWanted() {
    if (Context.current().isCancelled()) {
      throw Status.CANCELLED.withDescription("nobody waits for the answer").asRuntimeException();
    }
  }

  private static <T extends Message, R extends Message> Message page(
      Listing<?, T, R> listing, List<T> entries, int size, boolean more, Freshness freshness) {
    List<T> sorted = new ArrayList<>(entries);
    sorted.sort(Comparator.comparing(listing.key(), KeyOrder.OF_STORES));
    int taken = 0;
    long bytes = 0;
    while (taken < Math.min(size, sorted.size()) && (taken == 0 || bytes < LARGEST_ANSWER)) {
      bytes += sorted.get(taken).getSerializedSize();
      taken++;
    }
    boolean goesOn = taken > 0 && (more || taken < sorted.size());
    String token =
        goesOn ? PageToken.of(listing.name(), listing.key().apply(sorted.get(taken - 1))) : "";
    return Fields.page(listing.empty(), sorted.subList(0, taken), token, freshness).build();
  }

  private static int size(int asked) {
    if (asked < 0) {
      throw Status.INVALID_ARGUMENT
          .withDescription("page_size=%d: give 1 to %d, or 0".formatted(asked, LARGEST_PAGE))
          .asRuntimeException();
    }
    return asked == 0 ? USUAL_PAGE : Math.min(asked, LARGEST_PAGE);
  }
}
