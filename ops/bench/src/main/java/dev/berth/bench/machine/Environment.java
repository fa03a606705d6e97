package dev.berth.bench.machine;

import dev.berth.ops.command.Build;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What was measured, where and when: figures without it say nothing.
 *
 * @param at when the run began
 * @param berth version of Berth
 * @param commit git's name of the sources, with {@code -dirty} where they were changed; {@code
 *     unknown} without git
 * @param kafka version of Kafka
 * @param java version and name of the JVM
 * @param options options of the JVM, those that only say what the terminal is like left out
 * @param system operating system and architecture
 * @param processor model of the processors
 * @param cores processors that the JVM may use (count)
 * @param memoryMib memory of the machine (MiB); 0 when unknown
 */
public record Environment(
    Instant at,
    String berth,
    String commit,
    String kafka,
    String java,
    List<String> options,
    String system,
    String processor,
    int cores,
    long memoryMib) {
  /** Set by the script, which knows where the sources are. */
  private static final String COMMIT = "berth.commit";

  /** Keeps a copy. */
  public Environment {
    options = List.copyOf(options);
  }

  /** This machine, JVM and build. */
  public static Environment here(Instant now) {
    return new Environment(
        now.truncatedTo(ChronoUnit.SECONDS),
        Build.version(),
        System.getProperty(COMMIT, "unknown"),
        Build.kafkaVersion(),
        Runtime.version() + " " + System.getProperty("java.vm.name"),
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(option -> !option.startsWith("-Dberth."))
            .toList(),
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"),
        field("/proc/cpuinfo", "model name").orElse("unknown"),
        Runtime.getRuntime().availableProcessors(),
        field("/proc/meminfo", "MemTotal")
            .map(text -> Long.parseLong(text.replace(" kB", "")) / 1024)
            .orElse(0L));
  }

  private static Optional<String> field(String file, String name) {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
