package dev.berth.producers.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Tells contents apart. */
final class Fingerprint {

  private Fingerprint() {}

  /** SHA-256 in hexadecimal digits. */
  static String of(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** That of several texts. */
  static String of(String... parts) {
    return of(String.join("\n", parts).getBytes(UTF_8));
  }
}
