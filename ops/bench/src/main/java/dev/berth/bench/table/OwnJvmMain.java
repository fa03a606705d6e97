package dev.berth.bench.table;

import dev.berth.ops.logging.LogFile;
import dev.berth.ops.stack.NativeStore;
import dev.berth.producers.Connection;
import dev.berth.streams.app.BerthApp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Berth's application in a process of its own: {@code OwnJvmMain BROKERS REGISTRY PREFIX
 * DIRECTORY}. Says {@code running MILLIS} once its stores are restored; answers {@code heap} with
 * {@code heap BYTES}, what is left of its heap after a collection; closes when its input ends.
 */
public final class OwnJvmMain {
  static final String RUNNING = "running";
  static final String HEAP = "heap";

  private OwnJvmMain() {}

  /** See the class. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path data = Path.of(args[3]);
    LogFile.open(data.resolve("berth.log"), false);
    NativeStore.load(data.resolve("native"));
    Connection connection = Connection.to(args[0], args[1]).withPrefix(args[2]);
    long begin = System.nanoTime();
    try (BerthApp app = Application.berth(Application.config(connection, data.resolve("state")))) {
      System.out.println(RUNNING + " " + (System.nanoTime() - begin) / 1_000_000);
      BufferedReader asked =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = asked.readLine(); line != null; line = asked.readLine()) {
        if (line.equals(HEAP) && !app.state().ended()) {
          System.gc();
          long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
          System.out.println(HEAP + " " + used);
        }
      }
    }
  }
}
