package dev.berth.producers.feed;

import dev.berth.producers.IndexSource;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How events are fed.
 *
 * @param source name of the source, for messages
 * @param feed feed id, under which the position is kept; empty: it is not kept
 * @param factor seconds of the events' own time ({@code at}) per second, more than 0; empty: their
 *     times are not looked at
 * @param eventsPerSecond events per second at most, more than 0; empty: no limit
 * @param indexes who numbers statements, as in the scheduler's settings: with {@link
 *     IndexSource#CALLER} every line but those about nodes has its number, otherwise none has
 */
public record FeedOptions(
    String source,
    Optional<String> feed,
    OptionalDouble factor,
    OptionalDouble eventsPerSecond,
    IndexSource indexes) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException naming value and remedy
   */
  public FeedOptions {
    requirePositive("speed", factor);
    requirePositive("rate", eventsPerSecond);
  }

  /** As fast as Kafka takes them, without a position. */
  public static FeedOptions of(String source) {
    return new FeedOptions(
        source,
        Optional.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        IndexSource.CLOCK);
  }

  /** The same with a position under this id. */
  public FeedOptions withFeed(String id) {
    return new FeedOptions(source, Optional.of(id), factor, eventsPerSecond, indexes);
  }

  /** The same with another source of numbers. */
  public FeedOptions withIndexes(IndexSource who) {
    return new FeedOptions(source, feed, factor, eventsPerSecond, who);
  }

  private static void requirePositive(String what, OptionalDouble number) {
    if (number.isPresent()
        && !(number.getAsDouble() > 0 && Double.isFinite(number.getAsDouble()))) {
      throw new IllegalArgumentException(
          "%s %s is not possible: give a number above 0".formatted(what, number.getAsDouble()));
    }
  }
}
