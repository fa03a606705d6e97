package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.HelpfulCommands;
import dev.berth.ops.view.MessageJson;
import dev.berth.ops.view.Moments;
import dev.berth.ops.view.VolumeScreen;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.GetVolumeResponse;
import dev.berth.proto.api.VolumeRef;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code berth volume status}. */
@Command(
    name = "status",
    description = {
      "Shows all about one volume on one screen.",
      "Who holds it, since when and on which node; which step is next, why it waits",
      "and when it is tried; what the plugin last said; the commands that would help."
    },
    footer = {
      "",
      "Examples:",
      "  berth volume status prod/db",
      "  berth volume status prod/db --watch",
      "  berth volume status prod/db -o json"
    })
final class VolumeStatusCommand implements Callable<Integer> {

  @Parameters(paramLabel = "NAMESPACE/VOLUME", description = "The volume.")
  private @Nullable VolumeName volume;

  @Mixin private final WatchOptions watch = new WatchOptions();
  @Mixin private final ViewOptions options = new ViewOptions();

  private final Terminal terminal;
  private final Clock clock;

  VolumeStatusCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    VolumeRef ref = VolumeArgument.ref(Objects.requireNonNull(volume));
    return options.show(
        terminal,
        reads ->
            watch.repeat(
                terminal,
                fresh -> {
                  GetVolumeResponse answer = reads.volume(ref);
                  fresh.run();
                  options.print(
                      terminal,
                      () -> document(answer),
                      () -> VolumeScreen.lines(answer, new Moments(clock.instant())));
                  return ExitCode.OK;
                }));
  }

  private static ObjectNode document(GetVolumeResponse answer) {
    ObjectNode document = MessageJson.of(answer);
    ArrayNode commands = document.putArray("helpfulCommands");
    HelpfulCommands.of(answer).forEach(commands::add);
    return document;
  }
}
