package dev.berth.ops.doctor;

/**
 * One thing that was looked at.
 *
 * @param name what, in a word or two
 * @param result how it is
 * @param found what was found, for people
 * @param remedy what to do; empty when there is nothing to do
 */
public record Check(String name, Result result, String found, String remedy) {

  /** How it can be. */
  public enum Result {
    /** As it should be. */
    OK,
    /** Berth works, and less well or less safely than it could. */
    WARNING,
    /** Berth does not work, or wrongly. */
    WRONG
  }

  static Check ok(String name, String found) {
    return new Check(name, Result.OK, found, "");
  }

  static Check warning(String name, String found, String remedy) {
    return new Check(name, Result.WARNING, found, remedy);
  }

  static Check wrong(String name, String found, String remedy) {
    return new Check(name, Result.WRONG, found, remedy);
  }
}
