package dev.berth.producers.feed;

/** Told how a feed goes on, on the thread that feeds. */
public interface FeedListener {

  /**
   * A line was rejected; the next ones go on.
   *
   * @param message file, line, field, value and remedy
   */
  void rejected(String message);

  /**
   * A line was dealt with.
   *
   * @param line its number, from 1
   */
  void at(long line);
}
