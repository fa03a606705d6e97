package dev.berth.streams.work;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One attempt of a lane as a worker gets it: calls to make in order, nothing beside them.
 *
 * @param attemptId id of the attempt, unique for ever
 * @param plugin plugin id
 * @param lane lane the attempt holds
 * @param route the one consumer group that may accept it
 * @param instanceNode node of the instance to call (scheduler's id)
 * @param endpoint endpoint of that instance; empty when the worker knows it
 * @param nodeIncarnation incarnation of the node for node work; 0 for controller work
 * @param timeout time each call may take, from before the accept transaction began
 * @param dispatchedAt when it was dispatched
 * @param calls the calls, at least one, all to the controller or all to one node
 */
public record Work(
    String attemptId,
    String plugin,
    String lane,
    String route,
    String instanceNode,
    String endpoint,
    long nodeIncarnation,
    Duration timeout,
    Instant dispatchedAt,
    List<WorkCall> calls) {

  /** Keeps a copy of the calls and refuses work without any. */
  public Work {
    calls = List.copyOf(calls);
    if (calls.isEmpty()) {
      throw new IllegalArgumentException("calls is empty: work carries at least one call");
    }
  }

  /**
   * One call of the run.
   *
   * @param requestId lane request it belongs to
   * @param call the call
   */
  public record WorkCall(String requestId, Call call) {}

  /** Whether it goes to a controller (topic plugin-work) and not to a node (topic node-work). */
  public boolean toController() {
    return calls.get(0).call().toController();
  }

  /** The same attempt, dispatched again at another time. */
  public Work dispatchedAt(Instant again) {
    return new Work(
        attemptId,
        plugin,
        lane,
        route,
        instanceNode,
        endpoint,
        nodeIncarnation,
        timeout,
        again,
        calls);
  }
}
