package dev.berth.workers.config;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a CSI plugin listens: a unix socket ({@code unix:///path}) or a TCP port ({@code
 * host:port}). The text is also a gRPC target.
 *
 * @param text the address as written
 */
public record PluginAddress(String text) {

  private static final String UNIX = "unix://";
  private static final Pattern TCP =
      Pattern.compile("(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]):(\\d{1,5})");

  /** What {@code sun_path} of Linux holds, without the closing zero. */
  private static final int LONGEST_SOCKET_PATH = 107;

  /**
   * Checks the address.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public PluginAddress {
    if (text.startsWith(UNIX)) {
      requireSocketPath(text.substring(UNIX.length()));
    } else {
      requirePort(text);
    }
  }

  /** Returns whether it is a unix socket, which only this machine can reach. */
  public boolean isUnixSocket() {
    return text.startsWith(UNIX);
  }

  @Override
  public String toString() {
    return text;
  }

  private static void requireSocketPath(String path) {
    if (!path.startsWith("/") || path.length() < 2) {
      throw new IllegalArgumentException(
          "'" + UNIX + path + "' names no absolute socket path: write unix:///path/to/csi.sock");
    }
    int bytes = path.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > LONGEST_SOCKET_PATH) {
      throw new IllegalArgumentException(
          "socket path of %d bytes is longer than the %d that Linux takes: %s"
              .formatted(bytes, LONGEST_SOCKET_PATH, path));
    }
  }

  private static void requirePort(String text) {
    Matcher tcp = TCP.matcher(text);
    if (!tcp.matches() || !isPort(Integer.parseInt(tcp.group(1)))) {
      throw new IllegalArgumentException(
          "'" + text + "' is no plugin address: write unix:///path/to/csi.sock or host:port");
    }
  }

  private static boolean isPort(int number) {
    return number > 0 && number <= 65_535;
  }
}
