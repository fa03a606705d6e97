package dev.berth.producers.trace;

/** A trace file cannot be used. The message names file, line, column, value and remedy. */
public final class TraceFileException extends IllegalArgumentException {

  TraceFileException(String file, long line, String column, String value, String remedy) {
    super("%s:%d: %s '%s': %s".formatted(file, line, column, shown(value), remedy));
  }

  TraceFileException(String file, long line, String problem, Throwable cause) {
    super("%s:%d: %s".formatted(file, line, problem), cause);
  }

  TraceFileException(String file, String problem) {
    super("%s: %s".formatted(file, problem));
  }

  TraceFileException(String file, String problem, Throwable cause) {
    super("%s: %s".formatted(file, problem), cause);
  }

  private static String shown(String value) {
    String text = value.replaceAll("\\p{Cntrl}", "?");
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
