package dev.berth.ops.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that a process can have again after a restart: below those that systems hand out to
 * clients, one of which might sit on it while the process is away.
 */
final class Ports {

  private static final int LOWEST = 20_000;
  private static final int END = 32_000;
  private static final int TRIES = 100;

  private Ports() {}

  /**
   * Returns a port of the loopback address that nobody has.
   *
   * @throws IllegalStateException when all that were tried are taken
   */
  static int free() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, END);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free port on the loopback address between %d and %d".formatted(LOWEST, END));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
