package dev.berth.ops.view;

import java.util.ArrayList;
import java.util.List;

/** Text for people, as wide as a terminal. */
final class Lines {

  /** Columns that everything fits in. */
  static final int WIDTH = 100;

  private static final int LABEL = 13;

  private final List<String> lines = new ArrayList<>();

  void head(String text) {
    if (!lines.isEmpty()) {
      lines.add("");
    }
    lines.add(text);
  }

  /** A line that stands as it is, a command for example. */
  void plain(String text) {
    lines.add("  " + text);
  }

  /** A label and what there is to say; nothing when there is nothing. */
  void say(int indent, String label, String text) {
    if (text.isBlank()) {
      return;
    }
    int blanks = Math.max(2, LABEL - label.length());
    String begin = "  ".repeat(indent) + label + " ".repeat(blanks);
    String under = " ".repeat(begin.length());
    for (String line : wrapped(text.strip(), WIDTH - begin.length())) {
      lines.add((begin + line).stripTrailing());
      begin = under;
    }
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  private static List<String> wrapped(String text, int width) {
    List<String> wrapped = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split("\\s+", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        wrapped.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    wrapped.add(line.toString());
    return wrapped;
  }
}
