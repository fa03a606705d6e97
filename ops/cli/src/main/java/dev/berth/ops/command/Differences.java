package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.topics.SameDifference;
import dev.berth.ops.view.Lines;
import dev.berth.schemas.topics.Difference;
import java.util.ArrayList;
import java.util.List;

/** Topics that are not as the catalogue wants them, printed. */
final class Differences {
  private Differences() {}

  /**
   * Whether what they are about has to be put right; the others are warnings, as {@code berth
   * doctor} has them.
   */
  static boolean wrong(List<Difference> differences) {
    return differences.stream().anyMatch(Difference::blocking);
  }

  /** For people: what differs, the same of many topics once, and what to do. */
  static List<String> lines(Terminal terminal, List<Difference> differences) {
    List<String> lines = new ArrayList<>();
    for (SameDifference each : SameDifference.fold(differences)) {
      String line = each.text() + (each.blocking() ? "; Berth does not start with it" : "");
      Lines.paragraph(line).stream()
          .map(part -> each.blocking() ? terminal.bad(part) : part)
          .forEach(lines::add);
      lines.addAll(Lines.hanging("    remedy: ", each.remedy()));
    }
    return lines;
  }

  /** For programs. */
  static ArrayNode json(List<Difference> differences) {
    ArrayNode list = JsonOutput.mapper().createArrayNode();
    for (Difference each : differences) {
      ObjectNode entry = list.addObject();
      entry.put("topic", each.topic());
      entry.put("setting", each.setting());
      entry.put("found", each.found());
      entry.put("expected", each.expected());
      entry.put("blocking", each.blocking());
      entry.put("remedy", each.remedy());
    }
    return list;
  }
}
