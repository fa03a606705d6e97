package dev.berth.ops.lives;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Holds a life to the process that watches it: whoever watches keeps our standard input open. */
public final class Lifeline {

  private Lifeline() {}

  /**
   * Begins to watch.
   *
   * @param input from the watching process; nothing is ever written to it
   * @param whenCut run once when that process is gone, on a thread of its own
   */
  public static void hold(InputStream input, Runnable whenCut) {
    Thread thread =
        new Thread(
            () -> {
              awaitEnd(input);
              whenCut.run();
            },
            "lifeline");
    thread.setDaemon(true);
    thread.start();
  }

  private static void awaitEnd(InputStream input) {
    try {
      input.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // A broken pipe says the same as its end.
      return;
    }
  }
}
