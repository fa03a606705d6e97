package dev.berth.ops.command;

import static java.util.stream.Collectors.joining;

import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Lines;
import dev.berth.ops.view.Phrases;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a command has that can lose data: nothing is sent before somebody has said yes and why. */
final class DangerOptions {
  private static final int NAMED = 10;

  @Option(
      names = "--yes",
      description = "Confirms what it does; needs --reason. Without it you are asked.")
  private boolean yes;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /**
   * Says what will be done and what could be lost, and asks unless that was confirmed.
   *
   * @param does what it does, a sentence
   * @param loses what could be lost, a sentence
   * @param hits reads what it would hit now, for whoever is asked; not called when it was confirmed
   *     beforehand, so that nothing more has to answer then
   * @param reason what was given as reason; may be empty
   * @return the reason; empty when the answer is no
   * @throws ParameterException when it is not confirmed and nobody is there to be asked
   */
  Optional<String> confirmed(
      Terminal terminal,
      Question question,
      String does,
      String loses,
      Supplier<List<String>> hits,
      String reason) {
    Lines.paragraph(does).forEach(terminal.err()::println);
    Lines.paragraph(loses).stream().map(terminal::bad).forEach(terminal.err()::println);
    if (yes && !reason.isBlank()) {
      return Optional.of(reason);
    }
    hits.get().forEach(terminal.err()::println);
    Optional<String> why = reason.isBlank() ? question.ask("Reason: ") : Optional.of(reason);
    if (why.isEmpty()) {
      throw notConfirmed(reason);
    }
    if (why.get().isBlank()) {
      terminal.err().println("Nothing was sent: it needs a reason.");
      return Optional.empty();
    }
    Optional<String> answer = yes ? Optional.of("yes") : question.ask("Type yes to do it: ");
    if (answer.isEmpty()) {
      throw notConfirmed(reason);
    }
    if (!answer.get().equals("yes")) {
      terminal.err().println("Nothing was sent.");
      return Optional.empty();
    }
    return why;
  }

  /** The first ten of them by name: {@code 2 volumes (prod/db, prod/uploads)}. */
  static String named(String one, List<?> things) {
    return "%s (%s%s)"
        .formatted(
            Phrases.count(things.size(), one),
            things.stream().limit(NAMED).map(Object::toString).collect(joining(", ")),
            things.size() > NAMED ? ", ..." : "");
  }

  private ParameterException notConfirmed(String reason) {
    if (command == null) {
      throw new IllegalStateException("not mixed into a command");
    }
    String missing =
        yes
            ? "say why with --reason, which is empty or missing"
            : "confirm it with --yes" + (reason.isBlank() ? " and say why with --reason" : "");
    return new ParameterException(command.commandLine(), "nothing was sent: " + missing);
  }
}
