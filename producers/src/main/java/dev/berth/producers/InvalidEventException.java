package dev.berth.producers;

/**
 * What a caller wants to say cannot be written as it is. Nothing was written. The message names
 * field, value and remedy.
 */
public final class InvalidEventException extends IllegalArgumentException {

  private final String field;
  private final String detail;
  private final String remedy;

  InvalidEventException(String field, String found, String remedy) {
    super(field + " " + found + ": " + remedy);
    this.field = field;
    this.detail = found + ": " + remedy;
    this.remedy = remedy;
  }

  /** Returns what is wrong with it and what would do, for those who name the field themselves. */
  public String detail() {
    return detail;
  }

  /** Returns what would do, for those who name field and value themselves. */
  public String remedy() {
    return remedy;
  }

  /** Returns the field that is wrong. */
  public String field() {
    return field;
  }
}
