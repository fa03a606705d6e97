package dev.berth.telemetry;

import java.util.ArrayList;
import java.util.List;

/**
 * What a process says when it is asked how it is.
 *
 * @param good whether the answer is yes
 * @param lines why, for people, a line each; the first says how it is. No secrets
 */
public record Condition(boolean good, List<String> lines) {

  /** Keeps a copy. */
  public Condition {
    lines = List.copyOf(lines);
  }

  /** The condition with more lines behind its own. */
  public Condition with(List<String> more) {
    List<String> all = new ArrayList<>(lines);
    all.addAll(more);
    return new Condition(good, all);
  }

  /** All lines, each with its end. */
  String text() {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }
}
