package dev.berth.producers;

/**
 * Who asks for something and why; recorded with every command.
 *
 * @param by person or program, not empty
 * @param reason why, in their words; may be empty where a command does not need one
 */
public record Author(String by, String reason) {

  /**
   * Checks the name and cuts an overlong reason.
   *
   * @throws InvalidEventException naming field, value and remedy
   */
  public Author {
    FieldRules.name("by", by);
    reason = FieldRules.text(reason);
  }

  /** Somebody who gives no reason. */
  public static Author of(String by) {
    return new Author(by, "");
  }

  /** Somebody with a reason. */
  public static Author of(String by, String reason) {
    return new Author(by, reason);
  }
}
