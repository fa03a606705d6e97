package dev.berth.ops.command;

/** How a command prints a table that has more columns than usually wanted. */
enum TableFormat {
  /** For people: what fits a terminal. */
  TEXT,
  /** For people: every column. */
  WIDE,
  /** For programs: one JSON document on standard output. */
  JSON
}
