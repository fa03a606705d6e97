package dev.berth.ops.command;

/** What went wrong, for the person at the terminal. */
final class Failure {

  private static final int MOST_CAUSES = 5;

  private Failure() {}

  /** The messages of an exception and its causes, each once, on one line. */
  static String describe(Throwable failure) {
    StringBuilder text = new StringBuilder();
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
      String message = cause.getMessage() == null ? cause.getClass().getName() : cause.getMessage();
      // Wrappers repeat what they wrap.
      if (text.indexOf(message) < 0) {
        text.append(text.isEmpty() ? "" : ": ").append(message);
      }
      cause = cause.getCause();
    }
    return text.toString();
  }
}
