package dev.berth.streams.query;

import dev.berth.proto.api.Cause;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.CallFailed;
import dev.berth.records.CallHeld;
import dev.berth.records.ClaimRequested;
import dev.berth.records.Command;
import dev.berth.records.PassedCommand;
import dev.berth.records.Settlement;
import dev.berth.records.Signal;
import dev.berth.records.TimerFired;
import dev.berth.records.UnmountFailed;
import java.util.Locale;

/** What caused a decision, said to people; what the records carry besides is not told. */
final class EventTexts {
  private EventTexts() {}

  /**
   * The link of an event, without its time and place.
   *
   * @param event an alloc event, command, signal, settlement or timer, as the history has it
   */
  static Cause.Builder of(Object event) {
    Cause.Builder cause = Cause.newBuilder().setKind(Cause.Kind.KIND_EVENT);
    if (event instanceof AllocEvent said) {
      return cause
          .setName(word(said.getBody().getClass().getSimpleName()))
          .setText(
              "scheduler %s of alloc %s: %s"
                  .formatted(said.getScheduler(), said.getAlloc(), statement(said.getBody())));
    } else if (event instanceof Command command) {
      String reason = command.getReason().isEmpty() ? "" : ": " + command.getReason();
      return cause
          .setName(word(command.getBody().getClass().getSimpleName()))
          .setText("command %s by %s%s".formatted(command.getCommandId(), command.getBy(), reason));
    } else if (event instanceof Settlement settlement) {
      return cause
          .setName(word(settlement.getBody().getClass().getSimpleName()))
          .setRequest(settlement.getRequestId())
          .setText("the lanes of %s: %s".formatted(settlement.getPlugin(), settled(settlement)));
    } else if (event instanceof Signal signal) {
      return signal.getBody() instanceof PassedCommand passed
          ? of(passed.getCommand())
          : cause
              .setName(word(signal.getBody().getClass().getSimpleName().replaceFirst("View$", "")))
              .setText(SignalTexts.of(signal.getBody()));
    } else if (event instanceof TimerFired timer) {
      return cause.setName("timer").setText(timer.getReason());
    }
    return cause.setName(word(event.getClass().getSimpleName()));
  }

  private static String statement(Object body) {
    if (body instanceof ClaimRequested asked) {
      return "asks to %s on node %s".formatted(Words.of(asked.getMode()), asked.getNode());
    } else if (body instanceof AllocStatusChanged status) {
      return "client %s, desired %s"
          .formatted(Words.of(status.getClient()), Words.of(status.getDesired()));
    } else if (body instanceof UnmountFailed failed) {
      return "the unmount failed: " + failed.getError();
    }
    return word(body.getClass().getSimpleName());
  }

  private static String settled(Settlement settlement) {
    Object body = settlement.getBody();
    if (body instanceof CallHeld held) {
      return "%s, attempt %d: %s"
          .formatted(
              Words.of(held.getHold().getCode()),
              held.getHold().getAttempts(),
              held.getHold().getMessage());
    } else if (body instanceof CallFailed failed) {
      return "%s: %s".formatted(failed.getCode(), failed.getMessage());
    }
    return word(body.getClass().getSimpleName());
  }

  /** {@code ClaimRequested} and {@code NODE_LOST} as the API writes words. */
  static String word(String name) {
    return name.contains("_") || name.equals(name.toUpperCase(Locale.ROOT))
        ? name.toLowerCase(Locale.ROOT).replace('_', '-')
        : name.replaceAll("(?<=.)([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
