package dev.berth.workers.call;

import dev.berth.records.Call;
import dev.berth.workers.accept.Accepted;
import java.time.Duration;

/** Told of calls that left after the time allowed all the same: {@link LastCheck} says how. */
@FunctionalInterface
public interface LateSends {

  /** A call of a plugin will be made. Said before each one; nobody needs to do anything. */
  default void expect(String plugin) {}

  /**
   * A call was given to its connection too late; its lane may have had another one open.
   *
   * @param accepted the attempt
   * @param call which of its calls
   * @param by how long after the time allowed; zero or more
   */
  void late(Accepted accepted, Call call, Duration by);
}
