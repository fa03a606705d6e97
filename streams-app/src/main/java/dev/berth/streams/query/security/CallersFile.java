package dev.berth.streams.query.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The callers of a file, as it is now: looked at again once a second at most, when somebody calls.
 * A file that cannot be used any more changes nothing until it can: an operator who needs the API
 * must not be locked out by a slip of the pen. Safe for use by many threads.
 */
final class CallersFile implements Supplier<Callers> {
  private static final Logger LOG = LoggerFactory.getLogger(CallersFile.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Path file;
  private final InstantSource clock;
  private String text;
  private Callers callers;
  private Instant lookedAt;
  private String complaint = "";

  /**
   * Reads the file.
   *
   * @throws IllegalArgumentException naming setting, file and remedy
   */
  CallersFile(Path file, InstantSource clock) {
    this.file = file;
    this.clock = clock;
    this.text = read(file);
    this.callers = parse(file, text);
    this.lookedAt = clock.instant();
  }

  @Override
  public synchronized Callers get() {
    Instant now = clock.instant();
    // A clock that was set back must not keep a withdrawn token alive.
    if (now.isBefore(lookedAt) || !now.isBefore(lookedAt.plus(PAUSE))) {
      lookedAt = now;
      look();
    }
    return callers;
  }

  private void look() {
    try {
      String found = read(file);
      if (!found.equals(text)) {
        callers = parse(file, found);
        text = found;
        LOG.info("api callers read anew file={} {}", file, callers.counts());
      }
      complaint = "";
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      if (!message.equals(complaint)) {
        LOG.warn("api callers stay as they were: {}", message);
        complaint = message;
      }
    }
  }

  private static Callers parse(Path file, String text) {
    try {
      return Callers.parse(text);
    } catch (IllegalArgumentException e) {
      throw wrong(file, String.valueOf(e.getMessage()), e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw wrong(file, "there is no such file; correct the path", e);
    } catch (IOException e) {
      throw wrong(file, "cannot be read (%s); let Berth's user read it".formatted(e), e);
    }
  }

  private static IllegalArgumentException wrong(Path file, String what, Exception cause) {
    return new IllegalArgumentException(
        "%s=%s: %s".formatted(SecurityConfig.TOKENS, file, what), cause);
  }
}
