package dev.berth.producers;

/**
 * Another process has started with the same scheduler id and writes in its place. This one cannot
 * write any more; close it.
 */
public final class SchedulerReplacedException extends RuntimeException {

  SchedulerReplacedException(String message, Throwable cause) {
    super(message, cause);
  }
}
