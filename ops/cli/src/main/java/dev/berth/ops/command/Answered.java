package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.terminal.TextTable;
import dev.berth.ops.view.Lines;
import dev.berth.proto.api.SubmitCommandResponse;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What became of one thing that was asked for.
 *
 * @param subject what it was about
 * @param outcome what became of it
 * @param code reason code of a refusal; null otherwise
 * @param message what was done, or why not
 */
record Answered(String subject, Outcome outcome, @Nullable String code, String message) {

  /** What can become of it. */
  enum Outcome {
    /** Done. */
    OK,
    /** Berth said no. */
    REFUSED,
    /** Not sent, or nobody answered: it may have been done. */
    FAILED
  }

  /** What the API has answered to a command. */
  static Answered of(String subject, SubmitCommandResponse answer) {
    return answer.hasRefusal()
        ? new Answered(
            subject,
            Outcome.REFUSED,
            answer.getRefusal().getCode(),
            answer.getRefusal().getDetail())
        : new Answered(subject, Outcome.OK, null, answer.getSummary());
  }

  /** Prints one line each, or one document, and returns the exit code: 0 when all was done. */
  static int print(Terminal terminal, ViewFormat format, String head, List<Answered> answers) {
    format.print(terminal, () -> json(answers), () -> lines(format, table(head, answers)));
    return answers.stream().allMatch(answer -> answer.outcome == Outcome.OK)
        ? ExitCode.OK
        : ExitCode.FAILED;
  }

  private static List<String> lines(ViewFormat format, TextTable table) {
    return format == ViewFormat.WIDE ? table.lines() : table.folded(Lines.WIDTH);
  }

  private static TextTable table(String head, List<Answered> answers) {
    TextTable table = new TextTable(head, "RESULT", "MESSAGE");
    answers.forEach(answer -> table.row(answer.subject, answer.result(), answer.message));
    return table;
  }

  private String result() {
    String word = outcome.name().toLowerCase(Locale.ROOT);
    return code == null ? word : word + " (" + code + ")";
  }

  private static ArrayNode json(List<Answered> answers) {
    ArrayNode list = JsonOutput.mapper().createArrayNode();
    for (Answered answer : answers) {
      ObjectNode entry = list.addObject();
      entry.put("subject", answer.subject);
      entry.put("outcome", answer.outcome.name().toLowerCase(Locale.ROOT));
      entry.put("code", answer.code);
      entry.put("message", answer.message);
    }
    return list;
  }
}
