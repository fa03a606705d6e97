package dev.berth.producers.files;

/**
 * What is wrong in a file.
 *
 * @param file name of the file, as the user gave it
 * @param line line, from 1
 * @param message field, value and remedy; never the value of a secret
 */
public record FileProblem(String file, int line, String message) {

  /** {@code file:line: message}, which editors and terminals know how to follow. */
  @Override
  public String toString() {
    return file + ":" + line + ": " + message;
  }
}
