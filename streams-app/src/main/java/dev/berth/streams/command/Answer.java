package dev.berth.streams.command;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The one answer to a command.
 *
 * @param commandId id of the command
 * @param by who asked
 * @param reason why they asked
 * @param command name of the command
 * @param subject what it was about
 * @param refusal why it was refused; null when it was carried out
 * @param message what was done, or why not and what would help, for people
 * @param at when it was answered
 */
public record Answer(
    String commandId,
    String by,
    String reason,
    String command,
    String subject,
    @Nullable Refusal refusal,
    String message,
    Instant at) {

  /** The command was carried out. */
  public static Answer done(Command command, String message, Instant at) {
    return answer(command, null, message, at);
  }

  /** The command was refused. */
  public static Answer refused(Command command, Refusal refusal, String message, Instant at) {
    return answer(command, refusal, message, at);
  }

  private static Answer answer(
      Command command, @Nullable Refusal refusal, String message, Instant at) {
    return new Answer(
        command.id(),
        command.by(),
        command.reason(),
        command.body().name(),
        command.body().subject(),
        refusal,
        message,
        at);
  }
}
