package dev.berth.producers.feed;

import dev.berth.producers.NodePublisher;
import dev.berth.records.NodeStatus;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Where what is said of nodes goes. */
@FunctionalInterface
public interface Nodes {

  /**
   * Says how a node is.
   *
   * @param status empty when it was deleted
   * @throws dev.berth.producers.InvalidEventException naming field, value and remedy
   */
  CompletableFuture<Void> say(String node, Optional<NodeStatus> status, boolean eligible);

  /** To Berth. */
  static Nodes through(NodePublisher publisher) {
    return (node, status, eligible) ->
        status.isPresent()
            ? publisher.publish(node, status.get(), eligible)
            : publisher.remove(node);
  }
}
