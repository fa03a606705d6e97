package dev.berth.workers;

import dev.berth.workers.config.WorkerConfig;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Runs a worker until the process is asked to end: {@code Main worker.properties [key=value …]}.
 * Exits 2 when the configuration cannot be used.
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
    if (config.healthPort().isPresent()) {
      HealthEndpoint health =
          new HealthEndpoint(config.healthPort().getAsInt(), worker::isHealthy, worker::waiting);
      closeAtEnd(health::close);
    }
    closeAtEnd(worker::close);
    worker.start();
  }

  private static void closeAtEnd(Runnable close) {
    Runtime.getRuntime().addShutdownHook(new Thread(close, "shutdown"));
  }

  /**
   * Reads a properties file and the settings that override it.
   *
   * @throws IllegalArgumentException if an argument is no setting or the file cannot be read
   */
  static Map<String, String> settings(List<String> args) {
    if (args.isEmpty()) {
      throw new IllegalArgumentException("usage: worker.properties [key=value …]");
    }
    Map<String, String> settings = new HashMap<>();
    Properties file = load(Path.of(args.get(0)));
    file.stringPropertyNames().forEach(key -> settings.put(key, file.getProperty(key)));
    for (String setting : args.subList(1, args.size())) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("argument '" + setting + "' is not key=value");
      }
      settings.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return settings;
  }

  private static Properties load(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
      return properties;
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("there is no file " + file, e);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " cannot be read: " + e.getMessage(), e);
    }
  }
}
