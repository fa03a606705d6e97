package dev.berth.ops.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks the person at the terminal. */
@FunctionalInterface
public interface Question {

  /** Set by the script when standard input is a terminal, which a JVM cannot ask. */
  String IN_IS_TERMINAL = "berth.terminal.in";

  /** What they answer, without blanks around it; empty when nobody is there. */
  Optional<String> ask(String text);

  /** That of this process; asked on standard error, results being standard output's. */
  static Question system() {
    return text -> {
      if (!Boolean.getBoolean(IN_IS_TERMINAL)) {
        return Optional.empty();
      }
      System.err.print(text);
      System.err.flush();
      return Optional.ofNullable(line()).map(String::strip);
    };
  }

  private static @Nullable String line() {
    try {
      return new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()), 1)
          .readLine();
    } catch (IOException e) {
      throw new UncheckedIOException("the terminal cannot be read", e);
    }
  }
}
