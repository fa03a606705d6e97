package dev.berth.streams.claims;

/**
 * A volume's name, and the key of its records: {@code namespace/volume}. Neither part holds a
 * slash.
 *
 * @param namespace namespace
 * @param volume volume id
 */
public record VolumeKey(String namespace, String volume) {
  /**
   * Reads a key.
   *
   * @throws IllegalArgumentException when the text is not {@code namespace/volume}
   */
  public static VolumeKey parse(String text) {
    int slash = text.indexOf('/');
    if (slash <= 0 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a volume key: write namespace/volume");
    }
    return new VolumeKey(text.substring(0, slash), text.substring(slash + 1));
  }

  /** Key of something of this volume: a claim by its alloc, an attachment by its node. */
  public String of(String part) {
    return this + "/" + part;
  }

  /** Prefix of the keys of everything of this volume. */
  public String prefix() {
    return this + "/";
  }

  @Override
  public String toString() {
    return namespace + "/" + volume;
  }
}
