package dev.berth.streams.lanes;

/**
 * A call in a queue or an index.
 *
 * @param requestId request of the call
 * @param node node of the call, by which sick nodes are passed over
 */
public record QueueEntry(String requestId, String node) {
  static QueueEntry of(LaneCall call) {
    return new QueueEntry(call.requestId(), call.call().node());
  }
}
