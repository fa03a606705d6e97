package dev.berth.workers.call;

import dev.berth.records.Call;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import dev.berth.records.PluginRole;
import dev.berth.workers.config.PluginRoles;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a call may be sent as it is. An empty node id in a ControllerUnpublishVolume means
 * "detach from every node" (csi.v1): it is never sent.
 */
public final class CallCheck {

  private static final Set<CsiCall> PER_ALLOC =
      Set.of(CsiCall.NODE_PUBLISH, CsiCall.NODE_UNPUBLISH);

  private CallCheck() {}

  /** Returns why a call must not be sent as it is, or empty. */
  public static Optional<CallResult.NotSent> refusal(Call call) {
    if (call.getExternalVolume().isEmpty()) {
      return invalid(call, "the provider's volume id is empty");
    }
    boolean controller = PluginRoles.serving(call.getRpc()) == PluginRole.CONTROLLER;
    if (controller && call.getExternalNode().orElse("").isEmpty()) {
      return invalid(call, "the provider's node id is empty, which would mean every node");
    }
    if (PER_ALLOC.contains(call.getRpc()) && call.getAlloc().orElse("").isEmpty()) {
      return invalid(call, "no alloc is named");
    }
    return Optional.empty();
  }

  private static Optional<CallResult.NotSent> invalid(Call call, String why) {
    return Optional.of(
        new CallResult.NotSent(
            NotSentReason.INVALID,
            "%s of volume %s/%s: %s"
                .formatted(call.getRpc(), call.getNamespace(), call.getVolume(), why)));
  }
}
