package dev.berth.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.ops.terminal.Terminal;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The option {@code -o} of every command that prints a result; add it with {@code @Mixin}. */
final class OutputOption {

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text, wide, json or yaml (default: text); wide shows all there is, uncut.")
  private ViewFormat format = ViewFormat.TEXT;

  ViewFormat format() {
    return format;
  }

  /** Whether people read it, rather than programs. */
  boolean forPeople() {
    return format == ViewFormat.TEXT || format == ViewFormat.WIDE;
  }

  /** Whether nothing is to be cut or left out. */
  boolean wide() {
    return format == ViewFormat.WIDE;
  }

  /** Prints a document to programs, or lines to people. */
  void print(
      Terminal terminal, Supplier<? extends JsonNode> document, Supplier<List<String>> lines) {
    format.print(terminal, document, lines);
  }

  /**
   * Prints one of many things that come one after the other: an object a line as JSON, a document
   * each as YAML.
   */
  void next(Terminal terminal, Supplier<? extends JsonNode> document, Supplier<String> line) {
    switch (format) {
      case JSON -> terminal.out().println(document.get());
      case YAML -> terminal.out().printf("---%n%s%n", YamlOutput.text(document.get()));
      case TEXT, WIDE -> terminal.out().println(line.get());
    }
  }
}
