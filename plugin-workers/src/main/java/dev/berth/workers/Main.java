package dev.berth.workers;

import dev.berth.workers.config.SettingSources;
import dev.berth.workers.config.WorkerConfig;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs a worker until the process is asked to end:
 *
 * <pre>
 *   Main worker.properties [key=value …]                            all that is configured
 *   Main controller [--plugin ID] worker.properties [key=value …]   controllers, of one plugin
 *   Main node --node ID worker.properties [key=value …]             the node services of one node
 * </pre>
 *
 * <p>Exits 2 when the configuration cannot be used.
 */
public final class Main {

  private Main() {}

  /** See the class. */
  public static void main(String[] args) {
    try {
      run(WorkerConfig.parse(settings(List.of(args))));
    } catch (IllegalArgumentException | UncheckedIOException e) {
      System.err.println("berth worker: " + e.getMessage());
      System.exit(2);
    }
  }

  /** Starts the worker and returns; its own threads and the hook keep the process until the end. */
  private static void run(WorkerConfig config) {
    Worker worker = new Worker(config);
    Runtime.getRuntime().addShutdownHook(new Thread(worker::close, "shutdown"));
    worker.start();
  }

  /**
   * Reads a properties file and the settings that override it.
   *
   * @throws IllegalArgumentException if an argument is no setting or the file cannot be read
   */
  static Map<String, String> settings(List<String> args) {
    Deque<String> left = new ArrayDeque<>(args);
    Map<String, String> role = role(left);
    if (left.isEmpty()) {
      throw new IllegalArgumentException(
          "usage: [controller [--plugin ID] | node --node ID] worker.properties [key=value …]");
    }
    Map<String, String> settings = new HashMap<>();
    settings.putAll(SettingSources.properties(Path.of(left.remove())));
    settings.putAll(role);
    for (String setting : left) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("argument '" + setting + "' is not key=value");
      }
      settings.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return settings;
  }

  /** Takes a role and its option from the beginning of the arguments. */
  private static Map<String, String> role(Deque<String> args) {
    Map<String, String> role = new HashMap<>();
    String first = args.peek();
    if ("controller".equals(first) || "node".equals(first)) {
      role.put("worker.role", args.remove());
    }
    while (!args.isEmpty() && args.element().startsWith("--")) {
      String option = args.remove();
      String value = args.poll();
      if (value == null || !Set.of("--plugin", "--node").contains(option)) {
        throw new IllegalArgumentException(
            "option '" + option + "': give --plugin ID or --node ID, after controller or node");
      }
      role.put("worker." + option.substring(2), value);
    }
    return role;
  }
}
