package dev.berth.ops.demo;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the operating system and the JVM say of this process. */
final class ProcessFacts {

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Pattern PEAK = Pattern.compile("(?m)^VmHWM:\\s*(\\d+) kB$");

  private ProcessFacts() {}

  /** When the JVM began. */
  static Instant startedAt() {
    return Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
  }

  /** How long the JVM runs by now. */
  static Duration uptime(Instant now) {
    return Duration.between(startedAt(), now);
  }

  /** Most memory that was resident so far (KiB); empty where there is no such file (not Linux). */
  static Optional<Long> peakMemoryKb() {
    try {
      return peakMemoryKb(Files.readString(STATUS));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static Optional<Long> peakMemoryKb(String status) {
    Matcher matcher = PEAK.matcher(status);
    return matcher.find() ? Optional.of(Long.parseLong(matcher.group(1))) : Optional.empty();
  }
}
