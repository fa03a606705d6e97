package dev.berth.driver.provider;

import io.grpc.Status;
import java.util.HashSet;
import java.util.Set;

/**
 * The calls that are being worked on, and what a new one means for them. Counts work that goes on
 * after its caller has gone: the provider is busy all the same. Thread-safe.
 */
final class OpenCalls {

  private enum Kind {
    ATTACH,
    DETACH,
    MOUNT
  }

  // Compared by identity: two calls may ask for the same.
  private static final class OpenCall {
    private final Kind kind;
    private final String volume;
    private final String node;

    private OpenCall(Kind kind, String volume, String node) {
      this.kind = kind;
      this.volume = volume;
      this.node = node;
    }

    private boolean isController() {
      return kind != Kind.MOUNT;
    }
  }

  private final ProviderSpec spec;
  private final Set<OpenCall> open = new HashSet<>();

  OpenCalls(ProviderSpec spec) {
    this.spec = spec;
  }

  Admission attach(String volume, String node) {
    return admit(new OpenCall(Kind.ATTACH, volume, node));
  }

  /** A detach; an empty node is every node. */
  Admission detach(String volume, String node) {
    return admit(new OpenCall(Kind.DETACH, volume, node));
  }

  /** Any of the node calls. */
  Admission mount(String volume, String node) {
    return admit(new OpenCall(Kind.MOUNT, volume, node));
  }

  private synchronized Admission admit(OpenCall call) {
    if (open.stream().anyMatch(other -> excludes(other, call))) {
      return new Admission.Refused(
          Status.Code.ABORTED, "another call for volume %s is not finished".formatted(call.volume));
    }
    boolean races =
        spec.deviceNameRace()
            && call.kind == Kind.ATTACH
            && open.stream()
                .anyMatch(other -> other.kind == Kind.ATTACH && other.node.equals(call.node));
    open.add(call);
    Runnable release = () -> finished(call);
    return races
        ? new Admission.Doomed(
            Status.Code.INTERNAL,
            "device name in use on node %s: another attach was open".formatted(call.node),
            release)
        : new Admission.Admitted(release);
  }

  private boolean excludes(OpenCall other, OpenCall call) {
    if (!other.volume.equals(call.volume) || other.isController() != call.isController()) {
      return false;
    }
    // Node calls of different nodes reach different processes, which know nothing of each other.
    boolean sameNode = other.node.equals(call.node) || other.node.isEmpty() || call.node.isEmpty();
    return switch (spec.concurrency()) {
      case ALLOW -> false;
      case ABORT_PER_VOLUME_AND_NODE -> sameNode;
      case ABORT_PER_VOLUME -> call.isController() || sameNode;
    };
  }

  private synchronized void finished(OpenCall call) {
    open.remove(call);
  }
}
