package dev.berth.producers;

/** A reconciliation was given up; the message says why and what would help. */
public final class ReconcileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ReconcileException(String message) {
    super(message);
  }

  ReconcileException(String message, Throwable cause) {
    super(message, cause);
  }
}
