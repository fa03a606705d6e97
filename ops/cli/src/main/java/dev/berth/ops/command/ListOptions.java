package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Message;
import dev.berth.ops.api.Listed;
import dev.berth.ops.api.Reads;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Columns;
import dev.berth.ops.view.Lines;
import dev.berth.ops.view.MessageJson;
import dev.berth.ops.view.Moments;
import dev.berth.proto.api.ListNodesRequest;
import dev.berth.proto.api.ListPluginsRequest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** What all commands have in common that list something of the API. */
final class ListOptions {

  @Mixin private final WatchOptions watch = new WatchOptions();
  @Mixin private final ViewOptions view = new ViewOptions();

  /**
   * What a list is narrowed to, of what somebody may have mistyped.
   *
   * @param plugin plugin id; empty for all
   * @param node node id; empty for all
   */
  record Sought(String plugin, String node) {
    private static final Sought ALL = new Sought("", "");

    /** What of it is not there at all, for people; only worth asking when nothing was found. */
    private List<String> unknown(Reads reads) {
      List<String> unknown = new ArrayList<>();
      if (!plugin.isEmpty()
          && reads
              .plugins(ListPluginsRequest.newBuilder().setPlugin(plugin).build())
              .entries()
              .isEmpty()) {
        unknown.add("no such plugin '%s'; see berth plugin list".formatted(plugin));
      }
      if (!node.isEmpty()
          && reads.nodes(ListNodesRequest.newBuilder().setNode(node).build()).entries().isEmpty()) {
        unknown.add("no such node '%s'; see berth node list".formatted(node));
      }
      return unknown;
    }
  }

  /**
   * A list as it is shown.
   *
   * @param columns how a table shows it
   * @param listed its entries
   * @param json an entry for programs
   */
  record Shown<E extends Message>(
      Columns<E> columns, Listed<E> listed, Function<E, ObjectNode> json) {}

  /**
   * Lists.
   *
   * @param columns how a table shows it
   * @param read reads it
   */
  <E extends Message> int list(
      Terminal terminal, Clock clock, Columns<E> columns, Function<Reads, Listed<E>> read)
      throws Exception {
    return list(terminal, clock, columns, Sought.ALL, read);
  }

  /** The same for a list that was narrowed; exits 1 when there is not what it is narrowed to. */
  <E extends Message> int list(
      Terminal terminal,
      Clock clock,
      Columns<E> columns,
      Sought sought,
      Function<Reads, Listed<E>> read)
      throws Exception {
    return list(
        terminal, clock, sought, reads -> new Shown<>(columns, read.apply(reads), MessageJson::of));
  }

  /** The same for a list whose columns have to be read too. */
  <E extends Message> int list(
      Terminal terminal, Clock clock, Sought sought, Function<Reads, Shown<E>> read)
      throws Exception {
    return view.show(
        terminal,
        reads ->
            watch.repeat(
                terminal,
                fresh -> {
                  Shown<E> shown = read.apply(reads);
                  Listed<E> listed = shown.listed();
                  List<String> unknown =
                      listed.entries().isEmpty() ? sought.unknown(reads) : List.of();
                  ViewOptions.caution(terminal, listed);
                  fresh.run();
                  unknown.forEach(what -> terminal.err().println("berth: " + what));
                  view.print(
                      terminal,
                      () -> document(shown),
                      () -> lines(shown.columns(), listed.entries(), new Moments(clock.instant())));
                  return unknown.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
                }));
  }

  private static <E extends Message> ArrayNode document(Shown<E> shown) {
    ArrayNode list = JsonOutput.mapper().createArrayNode();
    shown.listed().entries().forEach(entry -> list.add(shown.json().apply(entry)));
    return list;
  }

  private <E extends Message> List<String> lines(
      Columns<E> columns, List<E> entries, Moments moments) {
    if (entries.isEmpty()) {
      return List.of("No " + columns.plural() + ".");
    }
    return view.wide()
        ? columns.table(entries, moments, true).lines()
        : columns.table(entries, moments, false).lines(Lines.WIDTH);
  }

  /** A usage error of the command that this is mixed into. */
  ParameterException usage(String message) {
    return view.usage(message);
  }
}
