package dev.berth.workers;

import dev.berth.workers.config.WorkerConfig;

/**
 * A worker: accepts work for its plugin endpoints, calls the plugins, reports what became of each
 * call, and publishes the endpoints' health.
 *
 * <p>{@link #start} returns at once; {@link #close} takes no more work, waits for the open calls
 * and leaves its groups.
 */
public final class Worker implements AutoCloseable {

  private final WorkerConfig config;

  /** Prepares a worker; nothing is connected yet. */
  public Worker(WorkerConfig config) {
    this.config = config;
  }

  /** Starts it. */
  public void start() {}

  /** Returns whether it polls as it should. */
  public boolean healthy() {
    return true;
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "Worker[" + config.workerId() + "]";
  }
}
