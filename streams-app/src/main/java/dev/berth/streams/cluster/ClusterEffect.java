package dev.berth.streams.cluster;

import dev.berth.streams.command.Answer;

/** What goes out of a decision of {@code Cluster}. */
public sealed interface ClusterEffect {

  /**
   * A signal for every partition of {@code volume-signals} and {@code lane-signals}.
   *
   * @param signal the signal
   */
  record Broadcast(ClusterSignal signal) implements ClusterEffect {}

  /**
   * The answer to a command.
   *
   * @param answer the answer
   */
  record Answered(Answer answer) implements ClusterEffect {}

  /**
   * The record that was decided about cannot be used; it changed nothing and goes to {@code
   * rejected-records}.
   *
   * @param reason why, and what would help
   */
  record Rejected(String reason) implements ClusterEffect {}
}
