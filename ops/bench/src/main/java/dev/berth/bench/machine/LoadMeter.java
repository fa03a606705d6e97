package dev.berth.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who uses the processors, from Linux's own counts: {@code /proc/stat} counts the machine, {@code
 * /proc/self/stat} this process and its ended children (proc(5)). Both count ticks, a hundredth of
 * a second each.
 */
public final class LoadMeter {
  private final Path proc;

  /**
   * Counts at a moment (ticks).
   *
   * @param all time of all processors
   * @param busy time in which they did something
   * @param own time used by this process and its ended children
   */
  public record Reading(long all, long busy, long own) {
    /** Where there is nothing to read. */
    static final Reading NONE = new Reading(0, 0, 0);
  }

  /** Reads {@code /proc}. */
  public LoadMeter() {
    this(Path.of("/proc"));
  }

  LoadMeter(Path proc) {
    this.proc = proc;
  }

  /** The counts now; all zero on a system without them. */
  public Reading read() {
    try {
      return parse(
          Files.readString(proc.resolve("stat")),
          Files.readString(proc.resolve("self").resolve("stat")));
    } catch (IOException e) {
      return Reading.NONE;
    }
  }

  /**
   * The share of the machine that others used between two readings, 0 to 1; null when it is
   * unknown. Children that have not ended count as others.
   */
  public static @Nullable Double foreign(Reading before, Reading after) {
    long all = after.all() - before.all();
    if (all <= 0) {
      return null;
    }
    double others = after.busy() - before.busy() - (double) (after.own() - before.own());
    return Math.max(0, Math.min(1, others / all));
  }

  static Reading parse(String machine, String self) {
    // cpu user nice system idle iowait irq softirq steal; guest times are part of user and nice.
    List<Long> times =
        Stream.of(machine.lines().findFirst().orElse("").split("\\s+", -1))
            .skip(1)
            .limit(8)
            .map(Long::parseLong)
            .toList();
    long all = times.stream().mapToLong(Long::longValue).sum();
    long idle = times.get(3) + times.get(4);
    // The name of the program is in brackets and may hold blanks; utime is the 12th field after it.
    String[] fields = self.substring(self.lastIndexOf(')') + 2).split(" ", -1);
    long own = LongStream.rangeClosed(11, 14).map(i -> Long.parseLong(fields[(int) i])).sum();
    return new Reading(all, all - idle, own);
  }
}
