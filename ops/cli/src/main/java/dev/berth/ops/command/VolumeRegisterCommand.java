package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.Author;
import dev.berth.producers.Commands;
import dev.berth.producers.Connection;
import dev.berth.producers.files.Located;
import dev.berth.producers.files.VolumeFile;
import dev.berth.records.VolumeSpec;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth volume register}. */
@Command(
    name = "register",
    description = {
      "Registers volumes, or replaces their registrations.",
      "Each is answered: done, or refused and why. Nothing is sent while anything in",
      "the files is wrong. Fields: see FORMAT.md of producers (package files), and",
      "ops/cli/examples."
    },
    footer = {
      "",
      "Examples:",
      "  berth volume register -f volumes.yaml --reason \"new service\"",
      "  berth volume register -f volumes.yaml --dry-run",
      "  generate | berth volume register -f - --config berth.properties -o json"
    })
final class VolumeRegisterCommand implements Callable<Integer> {

  @Mixin private final FileOption files = new FileOption();
  @Mixin private final AuthorOptions author = new AuthorOptions();
  @Mixin private final SendOptions options = new SendOptions();

  private final Terminal terminal;

  VolumeRegisterCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    return SendOptions.reading(terminal, this::run);
  }

  private int run() throws Exception {
    if (!files.given()) {
      throw files.usage("--file FILE is missing: name the file that holds the volumes");
    }
    Author by = author.author();
    List<Located<VolumeSpec>> volumes = files.read(VolumeFile::registrations);
    if (options.dryRun()) {
      return options.checked(terminal, volumes.size(), "volume");
    }
    Connection connection = options.connection().connection();
    return options.send(
        terminal,
        "registering volumes",
        volumes.size(),
        "VOLUME",
        batch -> {
          try (Commands commands = Commands.start(connection)) {
            return batch.ask(
                volumes,
                spec -> spec.getNamespace() + "/" + spec.getVolume(),
                spec -> commands.registerVolume(spec, by));
          }
        });
  }
}
