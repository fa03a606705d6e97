package dev.berth.ops.view;

import dev.berth.proto.api.Stuck;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Stuck claims of a volume: what fails, what was said, and what would help. */
public final class StuckScreen {
  private StuckScreen() {}

  /** Its lines. */
  public static List<String> lines(List<Stuck> stuck, Moments moments) {
    Lines lines = new Lines();
    Set<String> commands = new LinkedHashSet<>();
    for (Stuck each : stuck) {
      lines.head("Volume " + Tables.name(each.getClaim().getRef()));
      new ClaimLines(lines, moments).add(each.getClaim());
      commands.addAll(HelpfulCommands.of(each.getClaim()));
    }
    if (!commands.isEmpty()) {
      lines.head("What would help");
      commands.forEach(lines::plain);
    }
    return lines.lines();
  }
}
