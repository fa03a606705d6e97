package dev.berth.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.ops.api.Listed;
import dev.berth.ops.api.Reads;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Lines;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What all commands have in common that show something of the API. */
final class ViewOptions {

  @Mixin private final ApiOptions api = new ApiOptions();

  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = "--partial",
      description = "Shows what there is while instances are away; what is missing is said.")
  private boolean partial;

  /** Something that is read and shown. */
  @FunctionalInterface
  interface Showing {
    int show(Reads reads) throws Exception;
  }

  /** Reads and shows. */
  int show(Terminal terminal, Showing showing) throws Exception {
    return api.call(terminal, (client, progress) -> showing.show(new Reads(client, partial)));
  }

  /** Whether people read it, rather than programs. */
  boolean forPeople() {
    return output.forPeople();
  }

  /** Whether nothing is to be cut. */
  boolean wide() {
    return output.wide();
  }

  /** Prints a document to programs, or lines to people. */
  void print(Terminal terminal, Supplier<JsonNode> document, Supplier<List<String>> lines) {
    output.print(terminal, document, lines);
  }

  /** Says on standard error what a list lacks, whatever its format. */
  static void caution(Terminal terminal, Listed<?> listed) {
    listed.missing().stream()
        .flatMap(what -> Lines.paragraph("berth: not in this list: " + what).stream())
        .forEach(terminal.err()::println);
    if (listed.standby()) {
      terminal
          .err()
          .println("berth: some of it is from a warm copy, which can be behind by seconds");
    }
  }

  /** A usage error of the command that this is mixed into. */
  ParameterException usage(String message) {
    return api.usage(message);
  }
}
