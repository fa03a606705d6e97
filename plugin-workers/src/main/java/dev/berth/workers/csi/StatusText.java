package dev.berth.workers.csi;

import io.grpc.Status;

/** What a gRPC status says, for people. */
public final class StatusText {

  private StatusText() {}

  /** Returns description and cause of a status; its code where it says nothing. */
  public static String of(Status status) {
    String description = status.getDescription();
    Throwable cause = status.getCause();
    String text = description == null ? status.getCode().name() : description;
    return cause == null || cause.getMessage() == null || text.contains(cause.getMessage())
        ? text
        : text + ": " + cause.getMessage();
  }
}
