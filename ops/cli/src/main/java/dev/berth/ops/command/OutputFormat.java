package dev.berth.ops.command;

/** How a command prints its result. */
public enum OutputFormat {
  /** For people. */
  TEXT,
  /** For programs: one JSON document on standard output. */
  JSON;

  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
