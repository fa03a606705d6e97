package dev.berth.ops.explore;

import dev.berth.streams.work.Call;
import dev.berth.streams.work.Work;
import java.time.Instant;

/**
 * A call that a worker is making.
 *
 * @param work the attempt
 * @param index its place in the run of the attempt, 0 is the first
 * @param until when its worker gives it up
 */
record OpenCall(Work work, int index, Instant until) {

  Call call() {
    return work.calls().get(index).call();
  }

  String requestId() {
    return work.calls().get(index).requestId();
  }

  /** Whether another call of the run comes after it. */
  boolean hasNext() {
    return index + 1 < work.calls().size();
  }

  OpenCall next() {
    return new OpenCall(work, index + 1, until);
  }

  String acceptance() {
    return "accepted/" + work.attemptId();
  }

  /** The notation of scenario files. */
  String text() {
    return text(call());
  }

  static String text(Call call) {
    String volume = call.externalVolume();
    return switch (call.rpc()) {
      case CONTROLLER_PUBLISH ->
          "CP " + volume + " " + call.externalNode() + (call.readOnly() ? " ro" : " rw");
      case CONTROLLER_UNPUBLISH -> "CU " + volume + " " + call.externalNode();
      case NODE_STAGE -> "NS " + volume + " @" + call.node();
      case NODE_PUBLISH -> "NP " + volume + " " + call.alloc() + " @" + call.node();
      case NODE_UNPUBLISH -> "NU " + volume + " " + call.alloc() + " @" + call.node();
      case NODE_UNSTAGE -> "NT " + volume + " @" + call.node();
    };
  }
}
