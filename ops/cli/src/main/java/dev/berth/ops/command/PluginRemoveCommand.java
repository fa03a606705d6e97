package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.Connection;
import dev.berth.producers.PluginPublisher;
import dev.berth.producers.files.Located;
import dev.berth.producers.files.PluginFile;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code berth plugin remove}. */
@Command(
    name = "remove",
    description = {
      "Removes plugin instances.",
      "One that a worker still serves is back with the worker's next report. A",
      "plugin's record goes an hour after its last instance."
    },
    footer = {
      "",
      "Examples:",
      "  berth plugin remove ebs/controller@n1 ebs/node@n1",
      "  berth plugin remove -f plugins.yaml"
    })
final class PluginRemoveCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "PLUGIN/ROLE@NODE",
      description = "Instances, unless files name them; the role is controller or node.")
  private List<String> instances = new ArrayList<>();

  @Mixin private final FileOption files = new FileOption();
  @Mixin private final SendOptions options = new SendOptions();

  private final Terminal terminal;
  private final Clock clock;

  PluginRemoveCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    return SendOptions.reading(terminal, this::run);
  }

  private int run() throws Exception {
    if (files.given() == !instances.isEmpty()) {
      throw files.usage("name instances as PLUGIN/ROLE@NODE, or a file with --file: one of both");
    }
    List<Located<InstanceName>> named = files.given() ? ofFiles() : arguments();
    if (options.dryRun()) {
      return options.checked(terminal, named.size(), "plugin instance");
    }
    Connection connection = options.connection().connection();
    return options.send(
        terminal,
        "removing plugin instances",
        named.size(),
        "INSTANCE",
        batch -> {
          try (PluginPublisher publisher = PluginPublisher.start(connection)) {
            return batch.write(
                named,
                InstanceName::toString,
                name -> publisher.remove(name.plugin(), name.role(), name.node()));
          }
        });
  }

  private List<Located<InstanceName>> ofFiles() throws InvalidInputException {
    return files.read((file, text) -> PluginFile.instances(file, text, clock.instant())).stream()
        .map(i -> new Located<>(i.file(), i.line(), InstanceName.of(i.value())))
        .toList();
  }

  private List<Located<InstanceName>> arguments() {
    List<Located<InstanceName>> named = new ArrayList<>();
    for (String text : instances) {
      try {
        named.add(new Located<>("argument", 1, InstanceName.parse(text)));
      } catch (IllegalArgumentException e) {
        throw files.usage(Failure.describe(e));
      }
    }
    return named;
  }
}
