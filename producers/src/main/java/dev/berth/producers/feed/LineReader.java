package dev.berth.producers.feed;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads lines as bytes: what is no UTF-8 must be told, not replaced. */
final class LineReader {

  /** Longest line that is kept (bytes); of a longer one no more than this is. */
  static final int LONGEST = 1 << 20;

  private final InputStream in;

  /** A line. */
  static final class Line {
    private final byte[] bytes;
    private final boolean ended;

    Line(byte[] bytes, boolean ended) {
      this.bytes = bytes;
      this.ended = ended;
    }

    /** Its content without its end; not copied. */
    byte[] bytes() {
      return bytes;
    }

    /** Whether its end was there; the last line of a file that grows may have none yet. */
    boolean ended() {
      return ended;
    }

    boolean isBlank() {
      for (byte character : bytes) {
        if (character != ' ' && character != '\t' && character != '\r') {
          return false;
        }
      }
      return true;
    }
  }

  LineReader(InputStream in) {
    this.in = new BufferedInputStream(in, 1 << 16);
  }

  /**
   * Returns the next line without its end; empty at the end of the input. A line of more than
   * {@link #LONGEST} bytes comes as so many and one more.
   */
  Optional<Line> next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    if (next < 0) {
      return Optional.empty();
    }
    while (next >= 0 && next != '\n') {
      if (line.size() <= LONGEST) {
        line.write(next);
      }
      next = in.read();
    }
    return Optional.of(new Line(line.toByteArray(), next == '\n'));
  }
}
