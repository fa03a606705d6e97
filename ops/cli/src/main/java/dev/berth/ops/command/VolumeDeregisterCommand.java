package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.Author;
import dev.berth.producers.Commands;
import dev.berth.producers.Connection;
import dev.berth.producers.files.Located;
import dev.berth.producers.files.VolumeFile;
import dev.berth.producers.files.VolumeName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth volume deregister}. */
@Command(
    name = "deregister",
    description = {
      "Takes volumes out of Berth; the provider keeps them.",
      "Refused while a volume is in use. With --force also while dead claims are",
      "still being released: no new claim is taken, and the detach work that is owed",
      "is done."
    },
    footer = {
      "",
      "Examples:",
      "  berth volume deregister prod/db-1 prod/db-2",
      "  berth volume deregister -f volumes.yaml",
      "  berth volume deregister prod/db-1 --force --yes --reason \"volume was deleted\""
    })
final class VolumeDeregisterCommand implements Callable<Integer> {

  @Parameters(paramLabel = "NAMESPACE/VOLUME", description = "Volumes, unless files name them.")
  private List<String> volumes = new ArrayList<>();

  @Option(names = "--force", description = "Also with dead claims; needs --yes and --reason.")
  private boolean force;

  @Option(names = "--yes", description = "Confirms --force.")
  private boolean yes;

  @Mixin private final FileOption files = new FileOption();
  @Mixin private final AuthorOptions author = new AuthorOptions();
  @Mixin private final SendOptions options = new SendOptions();

  private final Terminal terminal;

  VolumeDeregisterCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    return SendOptions.reading(terminal, this::run);
  }

  private int run() throws Exception {
    if (force && !(yes && author.hasReason())) {
      throw files.usage(
          "--force takes volumes out under dead claims: confirm it with --yes and"
              + " say why with --reason");
    }
    if (files.given() == !volumes.isEmpty()) {
      throw files.usage("name volumes as NAMESPACE/VOLUME, or a file with --file: one of both");
    }
    Author by = author.author();
    List<Located<VolumeName>> named = files.given() ? files.read(VolumeFile::names) : arguments();
    if (options.dryRun()) {
      return options.checked(terminal, named.size(), "volumes");
    }
    Connection connection = options.connection().connection();
    return options.send(
        terminal,
        "deregistering volumes",
        named.size(),
        "VOLUME",
        batch -> {
          try (Commands commands = Commands.start(connection)) {
            return batch.ask(
                named,
                VolumeName::toString,
                name -> commands.deregisterVolume(name.namespace(), name.id(), force, by));
          }
        });
  }

  private List<Located<VolumeName>> arguments() {
    return volumes.stream().map(text -> new Located<>("argument", 1, name(text))).toList();
  }

  private VolumeName name(String text) {
    try {
      return VolumeArgument.parse(text);
    } catch (IllegalArgumentException e) {
      throw files.usage(String.valueOf(e.getMessage()));
    }
  }
}
