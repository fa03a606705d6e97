package dev.berth.ops.view;

import dev.berth.proto.api.Claim;
import dev.berth.proto.api.GetVolumeResponse;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The command lines that would let claims go on, by the code of their holds, the harmless ones
 * first. What has to be done outside Berth is in the remedy of the hold.
 */
public final class HelpfulCommands {
  private static final String REASON = " --reason \"...\"";

  private HelpfulCommands() {}

  /** For all claims of a volume; empty when none is held up. */
  public static List<String> of(GetVolumeResponse volume) {
    Set<String> commands = new LinkedHashSet<>();
    volume.getClaimsList().forEach(claim -> add(commands, claim));
    if (!volume.getForeignNodesList().isEmpty()) {
      volume
          .getForeignNodesList()
          .forEach(node -> commands.add(detach(Tables.name(volume.getVolume().getRef()), node)));
    }
    return List.copyOf(commands);
  }

  /** For one claim; empty when it is not held up. */
  public static List<String> of(Claim claim) {
    Set<String> commands = new LinkedHashSet<>();
    add(commands, claim);
    return List.copyOf(commands);
  }

  private static final Set<String> MOUNT = Set.of("stage", "publish");

  private static void add(Set<String> commands, Claim claim) {
    String volume = Tables.name(claim.getRef());
    String node = claim.getNode();
    String retry = "berth stuck retry " + volume;
    String assume = "berth stuck assume-detached " + volume + " " + node + REASON;
    String fence = "berth node fence " + node + REASON;
    String unblock = "berth unblock " + volume + REASON;
    String plugin = "berth plugin status " + claim.getPlugin();
    switch (claim.getHold().getCode()) {
      case "" -> {
        return;
      }
      case "node-lost", "node-unreachable" -> commands.addAll(List.of(fence, unblock));
      case "node-plugin-missing" -> commands.addAll(List.of(plugin, fence));
      // While it is being mounted its node is wanted; a fence would be refused, and not help.
      case "node-error" ->
          commands.addAll(
              MOUNT.contains(claim.getNextStep()) ? List.of(retry) : List.of(retry, fence));
      case "no-such-plugin", "missing-external-node-id" -> commands.addAll(List.of(plugin, assume));
      case "no-controller", "no-worker" -> commands.add(plugin);
      case "plugin-paused" -> commands.add("berth plugin resume " + claim.getPlugin());
      case "node-not-clean" -> commands.add("berth node unfence " + node + REASON);
      case "secret-unavailable" -> commands.add(retry);
      case "foreign-attachment" -> commands.add(retry);
      default -> {
        commands.add(retry);
        if (claim.getNextStep().equals("detach")) {
          commands.add(assume);
        }
      }
    }
    commands.add("berth claim why " + volume + " " + claim.getAlloc());
  }

  private static String detach(String volume, String node) {
    return "berth detach " + volume + " " + node + REASON;
  }
}
