package dev.berth.streams.codec;

import dev.berth.streams.claims.DeadLetter;

/** What would let a stuck claim go on, said to the operator who reads its dead letter. */
final class Remedy {
  private Remedy() {}

  static String of(DeadLetter letter) {
    String node = letter.node();
    String plugin = letter.plugin();
    String retry = "berth stuck retry " + letter.key();
    if (letter.alloc() == null) {
      return "The detach of an attachment that no claim asked for is held: see message, and the log of plugin %s. It is tried on; %s tries at once with a new budget."
          .formatted(plugin, retry);
    }
    // Nobody can vouch for a detach under a live alloc: the command is refused.
    String once = letter.live() ? "once alloc " + letter.alloc() + " has ended, " : "";
    String assume = once + "berth stuck assume-detached " + letter.key() + " " + node;
    return switch (letter.hold().code()) {
      case NO_SUCH_PLUGIN ->
          "Plugin %s has no instance and its record is gone. Start a worker that serves it: the call is then made at once. If the plugin will not come back and the provider shows no attachment, %s frees the claim."
              .formatted(plugin, assume);
      case NO_CONTROLLER ->
          "Plugin %s needs a controller and none is healthy on a ready node. Bring one back: the call is then made at once."
              .formatted(plugin);
      case MISSING_EXTERNAL_NODE_ID ->
          "The provider's name of node %s is not known. Start the node service of plugin %s there: the call is then made at once. If the provider shows no attachment, %s frees the claim."
              .formatted(node, plugin, assume);
      case NODE_LOST ->
          "Node %s is down and its workload may still write. Bring the node back or delete it; or make sure that it is off and run berth node fence %s; berth unblock %s lets only this volume go."
              .formatted(node, node, letter.key());
      case NODE_UNREACHABLE ->
          "Node %s is disconnected, so that nothing can be unmounted there. Bring it back; or make sure that it is off and run berth node fence %s, or berth unblock %s for this volume alone."
              .formatted(node, node, letter.key());
      case NODE_PLUGIN_MISSING ->
          "Plugin %s has no node service on node %s. Start it there: the call is then made at once. If the node will not come back, delete it, or make sure that it is off and run berth node fence %s."
              .formatted(plugin, node, node);
      case CONTROLLER_ERROR, TIMEOUT ->
          "The plugin's answer says what failed: see message, and the log of plugin %s. Tried again at the longest interval; %s tries at once with a new budget. If the provider shows no attachment, %s frees the claim."
              .formatted(plugin, retry, assume);
      case NODE_ERROR ->
          (letter.live()
                  ? "The mount on node %s failed: see message, and the log of plugin %s there. Put right what keeps it from being mounted, then run %s; the end of the alloc gives the volume back. (To give the node up, make sure that it is off and run berth node fence %s.)"
                  : "The unmount on node %s failed: see message, and the log of plugin %s there. Free what holds the mount, then run %s; or make sure that the node is off and run berth node fence %s.")
              .formatted(node, plugin, retry, node);
      case UNIMPLEMENTED ->
          "Plugin %s says that it can attach and does not implement the call. Install a version that does, then run %s; if the provider shows no attachment, %s frees the claim."
              .formatted(plugin, retry, assume);
      case SECRET_UNAVAILABLE ->
          "A secret that the volume names resolves to nothing (see message). Put it back: the call is then made within seconds.";
      case FOREIGN_ATTACHMENT ->
          "The volume is attached to a node that no claim names (see message). berth detach %s NODE, with that node, ends that attachment; the attach is then tried again."
              .formatted(letter.key());
      case NODE_NOT_CLEAN ->
          "Node %s came back from a fence and may still have the volume mounted. It goes on when the client reports the unmount; berth node unfence %s says that the node is clean."
              .formatted(node, node);
      case NO_WORKER ->
          "No worker accepts the calls of plugin %s. Start one that serves it; the call is then made at once."
              .formatted(plugin);
      case PLUGIN_PAUSED ->
          "Plugin %s is paused. berth plugin resume %s lets it go on.".formatted(plugin, plugin);
      case UNRECOGNIZED ->
          "See message. %s tries again with a new budget; if the provider shows no attachment, %s frees the claim."
              .formatted(retry, assume);
    };
  }
}
