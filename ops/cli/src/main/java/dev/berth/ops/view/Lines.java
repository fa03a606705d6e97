package dev.berth.ops.view;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Text for people, as wide as a terminal. */
public final class Lines {

  /** Columns that everything fits in. */
  public static final int WIDTH = 100;

  private static final int LABEL = 13;

  /** What is left of a line for its text at least. */
  private static final int NARROWEST = 30;

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

  /**
   * A sentence or more, broken between words; a word that is longer than a line stays whole, so
   * that it can be copied.
   */
  public static List<String> paragraph(String text) {
    return text.length() <= WIDTH ? List.of(text) : wrapped(text.strip(), WIDTH);
  }

  /** The same behind what stands before it, the lines that follow under its first word. */
  public static List<String> hanging(String before, String text) {
    List<String> lines = wrapped(text.strip(), Math.max(NARROWEST, WIDTH - before.length()));
    String under = " ".repeat(before.length());
    return IntStream.range(0, lines.size())
        .mapToObj(i -> ((i == 0 ? before : under) + lines.get(i)).stripTrailing())
        .toList();
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
