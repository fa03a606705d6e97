package dev.berth.ops.lives;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a life tells the process that watches it: one line each, on its standard error. */
public sealed interface LifeSignal {

  /** The line. */
  String line();

  /**
   * Something begins.
   *
   * @param text what, in words
   * @param total how many parts it has (count); 0 when nobody knows
   */
  record Step(String text, int total) implements LifeSignal {
    @Override
    public String line() {
      return "@life step " + total + " " + text;
    }
  }

  /**
   * Parts of the present step are done.
   *
   * @param done how many (count)
   */
  record Progressed(int done) implements LifeSignal {
    @Override
    public String line() {
      return "@life at " + done;
    }
  }

  /** What a line says; empty when it is something else, for people. */
  static Optional<LifeSignal> parse(String line) {
    Matcher step = Patterns.STEP.matcher(line);
    if (step.matches()) {
      return Optional.of(new Step(step.group(2), Integer.parseInt(step.group(1))));
    }
    Matcher at = Patterns.AT.matcher(line);
    return at.matches()
        ? Optional.of(new Progressed(Integer.parseInt(at.group(1))))
        : Optional.empty();
  }

  /** Forms of the lines. */
  final class Patterns {
    private static final Pattern STEP = Pattern.compile("@life step (\\d{1,9}) (.*)");
    private static final Pattern AT = Pattern.compile("@life at (\\d{1,9})");

    private Patterns() {}
  }
}
