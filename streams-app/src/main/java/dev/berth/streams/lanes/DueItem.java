package dev.berth.streams.lanes;

/**
 * Something to look at when its time has come.
 *
 * @param kind what it is
 * @param id request or attempt
 */
public record DueItem(Kind kind, String id) {
  /** What is due. */
  public enum Kind {
    /** The retry of a held call. */
    RETRY,
    /** A look at an open attempt. */
    ATTEMPT
  }
}
