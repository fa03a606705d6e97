package dev.berth.streams.query.session;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** Tokens and their hashes. Whoever keeps a token keeps its hash alone. */
public final class Tokens {
  /** What a one-time token begins with. */
  static final String ONE_TIME = "o.";

  /** What a session begins with. */
  static final String SESSION = "s.";

  private static final int BYTES = 32;
  private static final int LETTERS = 43;

  private Tokens() {}

  /** A new one of 256 bits, which go into a header and a cookie as they are. */
  static String draw(String beginning, SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return beginning + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Whether a text can be one: others need not be looked for. */
  static boolean isOne(String beginning, String text) {
    return text.startsWith(beginning) && text.length() == beginning.length() + LETTERS;
  }

  /** SHA-256 of a token in hex, small letters. */
  public static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
