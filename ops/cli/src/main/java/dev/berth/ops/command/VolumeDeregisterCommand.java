package dev.berth.ops.command;

import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.Author;
import dev.berth.producers.Commands;
import dev.berth.producers.Connection;
import dev.berth.producers.files.Located;
import dev.berth.producers.files.VolumeFile;
import dev.berth.producers.files.VolumeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  @Option(names = "--force", description = "Also with dead claims; is to be confirmed.")
  private boolean force;

  @Mixin private final DangerOptions danger = new DangerOptions();
  @Mixin private final FileOption files = new FileOption();
  @Mixin private final TargetOptions api = new TargetOptions();
  @Mixin private final AuthorOptions author = new AuthorOptions();
  @Mixin private final SendOptions options = new SendOptions();

  private final Terminal terminal;
  private final Question question;

  VolumeDeregisterCommand(Terminal terminal, Question question) {
    this.terminal = terminal;
    this.question = question;
  }

  @Override
  public Integer call() throws Exception {
    return SendOptions.reading(terminal, this::run);
  }

  private int run() throws Exception {
    if (files.given() == !volumes.isEmpty()) {
      throw files.usage("name volumes as NAMESPACE/VOLUME, or a file with --file: one of both");
    }
    author.author();
    List<Located<VolumeName>> named = files.given() ? files.read(VolumeFile::names) : arguments();
    if (options.dryRun()) {
      return options.checked(terminal, named.size(), "volume");
    }
    Optional<String> reason = force ? confirmed(named) : Optional.of(author.reason());
    if (reason.isEmpty()) {
      return ExitCode.FAILED;
    }
    Author by = author.author(reason.get());
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

  private Optional<String> confirmed(List<Located<VolumeName>> named) {
    List<VolumeName> names = named.stream().map(Located::value).toList();
    return danger.confirmed(
        terminal,
        question,
        "Takes %s out of Berth under claims that are still being released."
            .formatted(DangerOptions.named("volume", names)),
        "What is still attached then is known to the provider only, once that work is done or given up.",
        () -> AtStake.volumes(names).lines(options.connection().api(api)),
        author.reason());
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
