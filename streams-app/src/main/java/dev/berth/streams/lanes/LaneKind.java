package dev.berth.streams.lanes;

import dev.berth.records.CsiCall;

/** The queues of a lane. Attaches and detaches share a controller lane by weight. */
public enum LaneKind {
  ATTACH("attach"),
  DETACH("detach"),
  NODE("node");

  private final String word;

  LaneKind(String word) {
    this.word = word;
  }

  /** The queue's name in keys. */
  String word() {
    return word;
  }

  /** The queue of a call. */
  static LaneKind of(CsiCall rpc) {
    return switch (rpc) {
      case CONTROLLER_PUBLISH -> ATTACH;
      case CONTROLLER_UNPUBLISH -> DETACH;
      case NODE_STAGE, NODE_PUBLISH, NODE_UNPUBLISH, NODE_UNSTAGE -> NODE;
    };
  }
}
