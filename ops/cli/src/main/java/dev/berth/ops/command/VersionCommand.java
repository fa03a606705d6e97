package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth version}. */
@Command(
    name = "version",
    description = "Prints the versions of Berth, Kafka and Java.",
    footer = {"", "Example:", "  berth version -o json"})
final class VersionCommand implements Callable<Integer> {

  @Mixin private final OutputOption output = new OutputOption();

  private final Terminal terminal;

  VersionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("berth", Build.version());
    versions.put("kafka", Build.kafkaVersion());
    versions.put("java", Runtime.version().toString());
    output.print(
        terminal,
        () -> JsonOutput.mapper().valueToTree(versions),
        () ->
            versions.entrySet().stream()
                .map(version -> version.getKey() + " " + version.getValue())
                .toList());
    return ExitCode.OK;
  }
}
