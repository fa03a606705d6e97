package dev.berth.producers;

/**
 * What a caller wants to say cannot be written as it is. Nothing was written. The message names
 * field, value and remedy.
 */
public final class InvalidEventException extends IllegalArgumentException {

  private final String field;

  InvalidEventException(String field, String found, String remedy) {
    super(field + " " + found + ": " + remedy);
    this.field = field;
  }

  /** Returns the field that is wrong. */
  public String field() {
    return field;
  }
}
