package dev.berth.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who uses the processors, from Linux's own counts: {@code /proc/stat} counts the machine, {@code
 * /proc/self/stat} this process and its ended children, {@code /proc/PID/stat} a child that runs
 * (proc(5)). All count ticks, a hundredth of a second each.
 */
public final class LoadMeter {
  private final Path proc;
  private final Supplier<List<Long>> children;

  /**
   * Counts at a moment (ticks).
   *
   * @param all time of all processors
   * @param busy time in which they did something
   * @param own time used by this process and its children, those that have ended too
   */
  public record Reading(long all, long busy, long own) {
    /** Where there is nothing to read. */
    static final Reading NONE = new Reading(0, 0, 0);
  }

  /** Reads {@code /proc}. */
  public LoadMeter() {
    this(
        Path.of("/proc"),
        () -> ProcessHandle.current().descendants().map(ProcessHandle::pid).toList());
  }

  /** Counts in another directory; the children that run are those that are supplied. */
  LoadMeter(Path proc, Supplier<List<Long>> children) {
    this.proc = proc;
    this.children = children;
  }

  /** The counts now; all zero on a system without them. */
  public Reading read() {
    try {
      List<String> own = new ArrayList<>();
      own.add(Files.readString(proc.resolve("self").resolve("stat")));
      for (long child : children.get()) {
        child(child).ifPresent(own::add);
      }
      return parse(Files.readString(proc.resolve("stat")), own);
    } catch (IOException e) {
      return Reading.NONE;
    }
  }

  /** Empty for one that has just ended: its time is that of this process now. */
  private Optional<String> child(long pid) {
    try {
      return Optional.of(Files.readString(proc.resolve(Long.toString(pid)).resolve("stat")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * The share of the machine that others used between two readings, 0 to 1; null when it is
   * unknown.
   */
  public static @Nullable Double foreign(Reading before, Reading after) {
    long all = after.all() - before.all();
    if (all <= 0) {
      return null;
    }
    double others = after.busy() - before.busy() - (double) (after.own() - before.own());
    return Math.max(0, Math.min(1, others / all));
  }

  /**
   * Counts from the texts of the kernel.
   *
   * @param own of this process and of each child that runs
   */
  static Reading parse(String machine, List<String> own) {
    // cpu user nice system idle iowait irq softirq steal; guest times are part of user and nice.
    List<Long> times =
        Stream.of(machine.lines().findFirst().orElse("").split("\\s+", -1))
            .skip(1)
            .limit(8)
            .map(Long::parseLong)
            .toList();
    long all = times.stream().mapToLong(Long::longValue).sum();
    long idle = times.get(3) + times.get(4);
    return new Reading(all, all - idle, own.stream().mapToLong(LoadMeter::used).sum());
  }

  /** Time of a process and of its children that have ended. */
  private static long used(String stat) {
    // The name of the program is in brackets and may hold blanks; utime is the 12th field after it.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return LongStream.rangeClosed(11, 14).map(i -> Long.parseLong(fields[(int) i])).sum();
  }
}
