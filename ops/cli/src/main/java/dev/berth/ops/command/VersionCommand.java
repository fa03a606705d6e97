package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code berth version}. */
@Command(
    name = "version",
    description = "Prints the versions of Berth, Kafka and Java.",
    footer = {"", "Example:", "  berth version -o json"})
final class VersionCommand implements Callable<Integer> {

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json (default: text).")
  private OutputFormat output = OutputFormat.TEXT;

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
    if (output == OutputFormat.JSON) {
      terminal.out().println(JsonOutput.text(JsonOutput.mapper().valueToTree(versions)));
    } else {
      versions.forEach((name, version) -> terminal.out().println(name + " " + version));
    }
    return ExitCode.OK;
  }
}
