package dev.berth.ops.chaos;

import java.time.Duration;

/**
 * Something that is done to a process.
 *
 * @param at when, from the beginning of the load
 * @param kind what
 * @param target name of the process; {@link ChaosSchedule#ALL} when all of Berth's are rolled
 * @param lasts how long the process is stopped or away; of a roll, how long it may take before what
 *     follows it is put off
 */
public record Fault(Duration at, Kind kind, String target, Duration lasts) {

  /** What can be done to a process. */
  public enum Kind {
    /** SIGKILL; started again afterwards. */
    KILL,
    /** SIGSTOP and later SIGCONT: others take over meanwhile, and a zombie wakes up. */
    STOP,
    /** SIGTERM, waited for, and started again. */
    RESTART,
    /** All Streams instances and then all workers restarted in turn, each waited for. */
    ROLL
  }

  /** For people, a line. */
  public String text() {
    return "%6.1f s  %-7s %-9s %4.1f s"
        .formatted(at.toMillis() / 1000.0, kind, target, lasts.toMillis() / 1000.0);
  }
}
