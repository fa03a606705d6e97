package dev.berth.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.ops.terminal.Terminal;
import java.util.List;
import java.util.function.Supplier;

/** How a command prints what there is to be seen. */
enum ViewFormat {
  /** For people: what fits 100 columns. */
  TEXT,
  /** For people: every column, nothing cut. */
  WIDE,
  /** For programs: one JSON document on standard output. */
  JSON,
  /** The same as a YAML document. */
  YAML;

  /** Prints a document to programs, or lines to people. */
  void print(
      Terminal terminal, Supplier<? extends JsonNode> document, Supplier<List<String>> lines) {
    switch (this) {
      case JSON -> terminal.out().println(JsonOutput.text(document.get()));
      case YAML -> terminal.out().println(YamlOutput.text(document.get()));
      case TEXT, WIDE -> lines.get().forEach(terminal.out()::println);
    }
  }
}
