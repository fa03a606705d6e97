package dev.berth.driver.provider;

import io.grpc.Status;
import java.util.List;
import java.util.Map;

/** What comes of a call: changes and a context, or a refusal. */
public sealed interface Decision {

  /**
   * It is done once the changes are made; no changes means that it was so already.
   *
   * @param context what an attach hands to the node calls, empty otherwise
   */
  record Accept(List<Change> changes, Map<String, String> context) implements Decision {
    public Accept {
      changes = List.copyOf(changes);
      context = Map.copyOf(context);
    }
  }

  /** It is not done. */
  record Refuse(Status.Code code, String message) implements Decision {}

  /** Nothing to do. */
  static Decision already() {
    return new Accept(List.of(), Map.of());
  }

  /** Done with one change. */
  static Decision by(Change change) {
    return new Accept(List.of(change), Map.of());
  }

  /** Not done. */
  static Decision refuse(Status.Code code, String message) {
    return new Refuse(code, message);
  }
}
