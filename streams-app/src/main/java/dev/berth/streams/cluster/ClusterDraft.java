package dev.berth.streams.cluster;

import dev.berth.streams.command.Answer;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.Refusal;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.Draft;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import java.time.Instant;

/** One decision of {@code Cluster} in the making. */
final class ClusterDraft {
  private final Draft<ClusterEffect> draft;
  private final Instant now;
  private final Policies configured;

  ClusterDraft(State state, Instant now, Policies configured) {
    this.draft = new Draft<>(state);
    this.now = now;
    this.configured = configured;
  }

  Draft<ClusterEffect> tables() {
    return draft;
  }

  Instant now() {
    return now;
  }

  /** The policies of the configuration, under those of the topic. */
  Policies configured() {
    return configured;
  }

  /** Makes the change of a signal here and sends the signal to the others. */
  void announce(ClusterSignal signal) {
    ClusterCopy.apply(signal, draft);
    draft.emit(new ClusterEffect.Broadcast(signal));
  }

  void done(Command command, String message) {
    draft.emit(new ClusterEffect.Answered(Answer.done(command, message, now)));
  }

  void refuse(Command command, Refusal refusal, String message) {
    draft.emit(new ClusterEffect.Answered(Answer.refused(command, refusal, message, now)));
  }

  void reject(String reason) {
    draft.emit(new ClusterEffect.Rejected(reason));
  }

  Decision<ClusterEffect> decision() {
    return draft.decision();
  }
}
