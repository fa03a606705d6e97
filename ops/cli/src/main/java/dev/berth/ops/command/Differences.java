package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.terminal.Terminal;
import dev.berth.schemas.topics.Difference;
import java.util.ArrayList;
import java.util.List;

/** Topics that are not as the catalogue wants them, printed. */
final class Differences {
  private Differences() {}

  /** For people: a line of what differs, and one of what to do. */
  static List<String> lines(Terminal terminal, List<Difference> differences) {
    List<String> lines = new ArrayList<>();
    for (Difference each : differences) {
      String line =
          "%s: %s is %s, expected %s"
              .formatted(each.topic(), each.setting(), each.found(), each.expected());
      lines.add(each.blocking() ? terminal.bad(line + "; Berth does not start with it") : line);
      lines.add("    remedy: " + each.remedy());
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
