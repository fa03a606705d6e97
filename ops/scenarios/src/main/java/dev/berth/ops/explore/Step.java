package dev.berth.ops.explore;

import dev.berth.records.AccessMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClientStatus;
import dev.berth.records.NodeStatus;
import dev.berth.streams.command.Command;
import java.time.Duration;

/**
 * One thing that happens to a simulated world from outside. A step says what by name, never by
 * where it stands, so that it still makes sense when steps before it are left out.
 */
sealed interface Step {

  /** A letter of the alphabet: what kind of thing it is. */
  Letter letter();

  /** The kinds of things that can happen. */
  enum Letter {
    CLAIM,
    STATUS,
    GONE,
    UNMOUNTED,
    UNMOUNT_FAILED,
    REPEATED,
    NODE,
    CONTROLLER,
    NODE_PLUGIN,
    COMMAND,
    ANSWER,
    LATE_REPORT,
    TIME,
    RESTART,
    DELIVERY
  }

  /** An alloc asks for a volume; with {@code promise} it stops itself when cut off. */
  record Claim(
      String alloc, String volume, String node, ClaimMode mode, AccessMode access, boolean promise)
      implements Step {
    @Override
    public Letter letter() {
      return Letter.CLAIM;
    }
  }

  /** An alloc's client reports a status. */
  record Status(String alloc, ClientStatus status) implements Step {
    @Override
    public Letter letter() {
      return Letter.STATUS;
    }
  }

  /** The scheduler no longer knows an alloc. */
  record Gone(String alloc) implements Step {
    @Override
    public Letter letter() {
      return Letter.GONE;
    }
  }

  /** A client unmounts, and says so. */
  record Unmounted(String alloc, String volume) implements Step {
    @Override
    public Letter letter() {
      return Letter.UNMOUNTED;
    }
  }

  /** A client cannot unmount, and says so. */
  record UnmountFailed(String alloc, String volume) implements Step {
    @Override
    public Letter letter() {
      return Letter.UNMOUNT_FAILED;
    }
  }

  /** A statement comes again, {@code back} before the last one. */
  record Repeated(int back) implements Step {
    @Override
    public Letter letter() {
      return Letter.REPEATED;
    }
  }

  /** The scheduler says something of a node. A node that was gone comes as another machine. */
  record Node(String node, NodeStatus status) implements Step {
    @Override
    public Letter letter() {
      return Letter.NODE;
    }
  }

  /** A controller falls ill or is well again. */
  record Controller(String plugin, String node, boolean healthy) implements Step {
    @Override
    public Letter letter() {
      return Letter.CONTROLLER;
    }
  }

  /** A node plugin reports; {@code tellsId} is whether it knows the provider's id of its node. */
  record NodePlugin(String plugin, String node, boolean tellsId) implements Step {
    @Override
    public Letter letter() {
      return Letter.NODE_PLUGIN;
    }
  }

  /** An operator commands. */
  record Operator(Command.Body body) implements Step {
    @Override
    public Letter letter() {
      return Letter.COMMAND;
    }
  }

  /** The oldest open call of that notation ends. */
  record Answer(String rpc, Ending ending) implements Step {
    @Override
    public Letter letter() {
      return Letter.ANSWER;
    }
  }

  /** The oldest report that was stuck arrives. */
  record LateReport() implements Step {
    @Override
    public Letter letter() {
      return Letter.LATE_REPORT;
    }
  }

  /** Time passes, and what falls due on the way happens. */
  record Time(Duration passes) implements Step {
    @Override
    public Letter letter() {
      return Letter.TIME;
    }
  }

  /** The Streams application stops and starts again from its topics. */
  record RestartStreams() implements Step {
    @Override
    public Letter letter() {
      return Letter.RESTART;
    }
  }

  /** A record that is on its way arrives, where records are not handed over at once. */
  record Delivery(Way way, int which) implements Step {
    @Override
    public Letter letter() {
      return Letter.DELIVERY;
    }
  }

  /** The ways that records take. */
  enum Way {
    REQUESTS,
    SETTLEMENTS,
    VOLUME_SIGNALS,
    LANE_SIGNALS,
    WORK,
    REPORTS
  }
}
