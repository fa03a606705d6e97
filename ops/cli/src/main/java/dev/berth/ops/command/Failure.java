package dev.berth.ops.command;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.regex.Pattern;

/** What went wrong, for the person at the terminal. */
final class Failure {

  private static final int MOST_CAUSES = 5;

  /** As in {@code java.io.IOException: no space left}. */
  private static final Pattern CLASS_NAME =
      Pattern.compile("(?:[a-z][\\w]*\\.)+[A-Z][\\w.$]*(?:Exception|Error)(?:: )?");

  private Failure() {}

  /** The messages of an exception and its causes, each once, on one line. */
  static String describe(Throwable failure) {
    StringBuilder text = new StringBuilder();
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
      String message = words(cause);
      // Wrappers repeat what they wrap.
      if (!message.isEmpty() && text.indexOf(message) < 0) {
        text.append(text.isEmpty() ? "" : ": ").append(message);
      }
      cause = cause.getCause();
    }
    return text.toString();
  }

  private static String words(Throwable failure) {
    String message = failure.getMessage();
    if (failure instanceof NoSuchFileException) {
      return message + ": no such file or directory";
    }
    if (failure instanceof AccessDeniedException) {
      return message + ": permission denied";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return message + ": is there already, and no directory";
    }
    if (message == null) {
      return inWords(failure.getClass().getSimpleName());
    }
    Throwable cause = failure.getCause();
    // What an exception says that was made from its cause alone.
    if (cause != null && message.equals(cause.toString())) {
      return "";
    }
    return CLASS_NAME.matcher(message).replaceAll("");
  }

  /** {@code TimeoutException} as "timeout". */
  private static String inWords(String className) {
    return className
        .replaceAll("(Exception|Error)$", "")
        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT);
  }
}
