package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.Connection;
import dev.berth.producers.PluginPublisher;
import dev.berth.producers.files.Located;
import dev.berth.producers.files.PluginFile;
import dev.berth.records.PluginInstance;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth plugin apply}. */
@Command(
    name = "apply",
    description = {
      "Writes down plugin instances that no worker looks after.",
      "They stay as the files say until somebody says otherwise or removes them.",
      "Fields: see FORMAT.md of producers (package files), and ops/cli/examples."
    },
    footer = {
      "",
      "Examples:",
      "  berth plugin apply -f plugins.yaml",
      "  berth plugin apply -f plugins.json --config berth.properties"
    })
final class PluginApplyCommand implements Callable<Integer> {

  @Mixin private final FileOption files = new FileOption();
  @Mixin private final SendOptions options = new SendOptions();

  private final Terminal terminal;
  private final Clock clock;

  PluginApplyCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    return SendOptions.reading(terminal, this::run);
  }

  private int run() throws Exception {
    if (!files.given()) {
      throw files.usage("--file FILE is missing: name the file that holds the instances");
    }
    List<Located<PluginInstance>> instances =
        files.read(
            (file, text) ->
                PluginFile.instances(file, text, clock.instant().truncatedTo(ChronoUnit.MILLIS)));
    if (options.dryRun()) {
      return options.checked(terminal, instances.size(), "plugin instance");
    }
    Connection connection = options.connection().connection();
    return options.send(
        terminal,
        "writing plugin instances",
        instances.size(),
        "INSTANCE",
        batch -> {
          try (PluginPublisher publisher = PluginPublisher.start(connection)) {
            return batch.write(instances, i -> InstanceName.of(i).toString(), publisher::publish);
          }
        });
  }
}
