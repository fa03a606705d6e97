package dev.berth.streams.lanes;

import dev.berth.records.HoldCode;
import dev.berth.records.RpcCode;
import org.jspecify.annotations.Nullable;

/**
 * Why an attempt failed, or could not be made.
 *
 * @param code hold to show
 * @param message text for people, secrets redacted
 * @param rpcCode the plugin's code; null when no call was made
 * @param kind how it is retried
 */
record Failure(HoldCode code, String message, @Nullable RpcCode rpcCode, Kind kind) {

  /** How a failure is retried. */
  enum Kind {
    /** With backoff, and counted. */
    ORDINARY,
    /** ABORTED: with backoff, and counted only once it has lasted. */
    BUSY,
    /** Will not heal by hurry: an operator is told at once, retries at the longest interval. */
    DEFINITE,
    /** A secret is missing: every few seconds, and counted. */
    SECRET
  }
}
