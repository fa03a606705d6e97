package dev.berth.ops.command;

/** How a command prints what the API answers. */
enum ViewFormat {
  /** For people: what fits 100 columns. */
  TEXT,
  /** For people: every column, nothing cut. */
  WIDE,
  /** For programs: one JSON document on standard output. */
  JSON,
  /** The same as a YAML document. */
  YAML
}
