package dev.berth.bench.system;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a bench has started, so that all of it ends with it: the last first. For one thread. */
public final class Parts implements AutoCloseable {
  private final String whose;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  /**
   * Has none yet.
   *
   * @param whose what they are parts of, for what is said when one cannot be closed
   */
  public Parts(String whose) {
    this.whose = whose;
  }

  /** Keeps one to be closed. */
  public <T extends AutoCloseable> T keep(T part) {
    started.push(part);
    return part;
  }

  /**
   * Closes them.
   *
   * @throws IllegalStateException when one cannot be closed; those started before it stay
   */
  @Override
  public void close() {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(whose + " cannot be closed", e);
      }
    }
  }
}
