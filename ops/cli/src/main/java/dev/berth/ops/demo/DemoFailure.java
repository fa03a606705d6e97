package dev.berth.ops.demo;

/** A step of the demonstration did not come about. */
final class DemoFailure extends RuntimeException {

  /** Says which step, and why. */
  DemoFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** Says which step, and why. */
  DemoFailure(String message) {
    super(message);
  }
}
