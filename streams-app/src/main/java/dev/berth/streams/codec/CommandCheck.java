package dev.berth.streams.codec;

import dev.berth.streams.command.Command;
import java.util.Optional;

/**
 * Whether a command can be recorded and answered. What it asks is judged by the processor that
 * decides it.
 */
public final class CommandCheck {
  private CommandCheck() {}

  /**
   * Reads a command that can be answered, whatever the answer is; overlong texts are cut.
   *
   * @throws IllegalArgumentException with the field, its value and the remedy, when it has no id
   *     under which an answer would be found, or asks for nothing that is known
   */
  public static Command answerable(dev.berth.records.Command written) {
    Names.named("commandId", written.getCommandId());
    Command command = CommandCodecs.COMMAND.decode().apply(written);
    return new Command(
        command.id(),
        Names.text(command.by()),
        Names.text(command.reason()),
        command.at(),
        command.body());
  }

  /** Why it is refused whatever it asks, with the remedy; empty when it is not. */
  public static Optional<String> problem(Command command) {
    if (command.by().isBlank()) {
      return Optional.of("by is empty: name who asks, since every command is recorded with it");
    }
    if (needsReason(command.body()) && command.reason().isBlank()) {
      return Optional.of("reason is empty: say why, since this overrides what Berth knows");
    }
    try {
      Names.bounded("by", command.by());
      Names.bounded("the subject", command.body().subject());
      if (command.body() instanceof Command.AboutVolume about) {
        Names.part("namespace", about.namespace());
        Names.part("volume", about.volume());
      }
      return Optional.empty();
    } catch (IllegalArgumentException invalid) {
      return Optional.of(String.valueOf(invalid.getMessage()));
    }
  }

  /** Whether somebody vouches for what Berth cannot know (domain rule "Nodes", "Operators"). */
  private static boolean needsReason(Command.Body body) {
    return body instanceof Command.FenceNode || body instanceof Command.AssumeDetached;
  }
}
