package dev.berth.schemas.headers;

import java.util.Arrays;
import java.util.Optional;

/**
 * The steps of an event's way to its plugin call and back. Each record on that way says in its
 * headers when the steps before it were, see {@link StepTimes}. In the order in which they come.
 */
public enum Step {
  /** A scheduler wrote the event, or an operator's command was written: the record's timestamp. */
  EVENT("event"),
  /** The claims decided it, and asked for the call if one is needed. */
  DECIDED("decided"),
  /** The plugin's lanes took the request for the call. */
  QUEUED("queued"),
  /** Its turn had come: the call went to the workers, the last time it did. */
  DISPATCHED("dispatched"),
  /** A worker began the transaction that accepted it. */
  ACCEPTED("accepted"),
  /** The worker began with the call: secrets, connection and Probe are in it. */
  RPC_STARTED("rpc-started"),
  /** The plugin had answered, or was waited for no longer. */
  RPC_ENDED("rpc-ended"),
  /** The worker handed the outcome to its producer. */
  REPORTED("reported"),
  /** The lanes settled the request. */
  SETTLED("settled"),
  /** The claims wrote the reply, or the claim's row. */
  WRITTEN("written");

  /** What the headers' keys begin with. */
  static final String PREFIX = "berth.at.";

  private final String header;

  Step(String name) {
    header = PREFIX + name;
  }

  /** Returns the key of its header. */
  public String header() {
    return header;
  }

  /** Returns the step whose header has a key; empty for any other header. */
  static Optional<Step> of(String header) {
    return header.startsWith(PREFIX)
        ? Arrays.stream(values()).filter(step -> step.header.equals(header)).findFirst()
        : Optional.empty();
  }
}
