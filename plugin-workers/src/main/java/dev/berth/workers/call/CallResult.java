package dev.berth.workers.call;

import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import java.util.Map;
import java.util.Optional;

/** What became of one call, as far as the worker knows. */
public sealed interface CallResult {

  /** Returns whether the plugin answered. A run goes on only after an answer. */
  default boolean isAnswered() {
    return this instanceof Answered;
  }

  /**
   * It never left the worker.
   *
   * @param reason why
   * @param message the reason in words
   */
  record NotSent(NotSentReason reason, String message) implements CallResult {}

  /**
   * No connection to the plugin came about, so the plugin cannot know of it.
   *
   * @param message what went wrong
   */
  record Unreached(String message) implements CallResult {}

  /**
   * The plugin answered.
   *
   * @param code its code
   * @param message its words; empty when it says OK
   * @param publishContext the publish context of a ControllerPublishVolume, else empty
   * @param attaches after a ControllerUnpublishVolume that is UNIMPLEMENTED: whether the plugin,
   *     asked right after it, advertises attach and detach; empty when it did not say
   */
  record Answered(
      RpcCode code, String message, Map<String, String> publishContext, Optional<Boolean> attaches)
      implements CallResult {

    /** An answer after which the plugin was not asked for its capabilities. */
    public Answered(RpcCode code, String message, Map<String, String> publishContext) {
      this(code, message, publishContext, Optional.empty());
    }

    /** Copies the context. */
    public Answered {
      publishContext = Map.copyOf(publishContext);
    }
  }

  /**
   * It was sent, or may have been, and no answer came: it may have been carried out.
   *
   * @param code what gRPC makes of it
   * @param message what gRPC says of it
   */
  record Unanswered(RpcCode code, String message) implements CallResult {}
}
