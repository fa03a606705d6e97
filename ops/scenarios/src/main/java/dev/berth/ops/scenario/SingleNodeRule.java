package dev.berth.ops.scenario;

import dev.berth.records.AccessMode;
import dev.berth.records.AssumeDetached;
import dev.berth.records.Call;
import dev.berth.records.Claim;
import dev.berth.records.ClaimState;
import dev.berth.records.Command;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.RpcCode;
import dev.berth.schemas.topics.Topic;
import dev.berth.workers.call.CallResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Between a CP for one node of a single-node volume and a CP for another node lies what ended the
 * first: a CU that was answered OK, or NOT_FOUND where that means released; an operator's
 * assume-detached; or the CP was answered UNIMPLEMENTED, or never reached the plugin. A CU answered
 * UNIMPLEMENTED ends it where no live controller advertises that it can attach (domain.md, errors);
 * and where live controllers say that they do not attach, the last claim there goes without a CU
 * (domain.md, Detach).
 *
 * <p>Judged by what was called and answered; by rows only when the last of a node goes.
 */
final class SingleNodeRule {
  private static final String RULE =
      "between CPs of a single-node volume for two nodes lies the end of the first";

  private static final Set<AccessMode> SINGLE_NODE =
      Set.of(AccessMode.SINGLE_NODE_READER, AccessMode.SINGLE_NODE_WRITER);

  private final List<Invariants.Broken> broken = new ArrayList<>();

  /** By plugin and provider's volume, by provider's node: CPs that nothing has ended. */
  private final Map<String, Map<String, List<Rpc>>> attaching = new HashMap<>();

  private final PolicyRecords policies = new PolicyRecords();
  private final Map<String, Command> commands = new HashMap<>();
  private final Map<String, PluginInstance> instances = new LinkedHashMap<>();
  private final Map<String, NodeStatus> nodes = new HashMap<>();
  private final Map<String, Claim> rows = new HashMap<>();

  private SingleNodeRule() {}

  static List<Invariants.Broken> broken(List<Happened> story) {
    SingleNodeRule rule = new SingleNodeRule();
    story.forEach(rule::add);
    return rule.broken;
  }

  private void add(Happened happened) {
    if (happened instanceof Happened.Called called) {
      called(called.rpc());
    } else if (happened instanceof Happened.Ended ended) {
      ended(ended.rpc(), ended.result());
    } else if (happened instanceof Happened.Written written) {
      written(written.record());
    }
  }

  private void called(Rpc rpc) {
    if (!rpc.kind().equals("CP") || !SINGLE_NODE.contains(rpc.call().getAccess())) {
      return;
    }
    Map<String, List<Rpc>> nodes = of(rpc);
    nodes.forEach(
        (node, before) -> {
          if (!node.equals(rpc.externalNode())) {
            broken.add(
                new Invariants.Broken(
                    RULE,
                    rpc.text() + " after " + before.get(0).text() + ", which nothing has ended",
                    new About(Subjects.of(rpc.call(), rpc.plugin()))));
          }
        });
    nodes.computeIfAbsent(rpc.externalNode(), unused -> new ArrayList<>()).add(rpc);
  }

  private void ended(Rpc rpc, @Nullable CallResult result) {
    if (rpc.kind().equals("CP") && leftNothing(result)) {
      of(rpc).getOrDefault(rpc.externalNode(), new ArrayList<>()).remove(rpc);
      of(rpc).values().removeIf(List::isEmpty);
    } else if (rpc.kind().equals("CU") && isReleased(rpc, result)) {
      of(rpc).remove(rpc.externalNode());
    }
  }

  private static boolean leftNothing(@Nullable CallResult result) {
    return result instanceof CallResult.Unreached
        || (result instanceof CallResult.Answered answered
            && answered.code() == RpcCode.UNIMPLEMENTED);
  }

  private boolean isReleased(Rpc rpc, @Nullable CallResult result) {
    if (!(result instanceof CallResult.Answered answered)) {
      return false;
    }
    return switch (answered.code()) {
      case OK -> true;
      case NOT_FOUND ->
          policies
              .setting("unpublish-not-found", rpc.plugin(), Subjects.volumeKey(rpc.call()))
              .orElse("released")
              .equals("released");
      case UNIMPLEMENTED -> controllers(rpc.plugin()).stream().noneMatch(PluginInstance::getAttach);
      default -> false;
    };
  }

  private List<PluginInstance> controllers(String plugin) {
    return instances.values().stream()
        .filter(instance -> instance.getPlugin().equals(plugin))
        .filter(instance -> instance.getRole() == PluginRole.CONTROLLER)
        .filter(instance -> instance.getHealth() == PluginHealth.HEALTHY)
        .toList();
  }

  /** Whether live controllers say that they do not attach; silence says nothing. */
  private boolean cannotAttach(String plugin) {
    List<PluginInstance> live =
        controllers(plugin).stream()
            .filter(instance -> nodes.get(instance.getNode()) == NodeStatus.READY)
            .toList();
    return !live.isEmpty() && live.stream().noneMatch(PluginInstance::getAttach);
  }

  /** A claim is freed: what was attached for it is over where its plugin does not attach. */
  private void freed(Claim claim) {
    attaching
        .values()
        .forEach(
            machines ->
                machines
                    .values()
                    .removeIf(
                        rpcs ->
                            cannotAttach(rpcs.get(0).plugin())
                                && rpcs.stream().anyMatch(rpc -> isFor(rpc.call(), claim))
                                && rows.values().stream().noneMatch(row -> counts(row, rpcs))));
  }

  private static boolean counts(Claim row, List<Rpc> rpcs) {
    return row.getState() != ClaimState.WAITING
        && rpcs.stream().anyMatch(rpc -> isFor(rpc.call(), row));
  }

  private static boolean isFor(Call call, Claim claim) {
    return call.getNamespace().equals(claim.getNamespace())
        && call.getVolume().equals(claim.getVolume())
        && call.getNode().equals(claim.getNode());
  }

  private void written(Seen record) {
    policies.add(record);
    if (record.value() instanceof Command command) {
      commands.put(command.getCommandId(), command);
    } else if (record.topic() == Topic.PLUGINS
        && record.value() instanceof PluginInstance instance) {
      instances.put(record.key(), instance);
    } else if (record.topic() == Topic.NODES) {
      nodes.put(
          record.key(), record.value() instanceof Node node ? node.getStatus() : NodeStatus.GONE);
    } else if (record.topic() == Topic.CLAIMS) {
      row(record);
    } else if (record.value() instanceof CommandResult result
        && result.getOutcome() == CommandOutcome.OK) {
      Command command = commands.get(result.getCommandId());
      if (command != null && command.getBody() instanceof AssumeDetached assumed) {
        attaching
            .values()
            .forEach(nodes -> nodes.values().removeIf(rpcs -> isOf(rpcs.get(0).call(), assumed)));
      }
    }
  }

  private void row(Seen record) {
    if (record.value() instanceof Claim claim) {
      rows.put(record.key(), claim);
    } else {
      Claim freed = rows.remove(record.key());
      if (freed != null) {
        freed(freed);
      }
    }
  }

  private static boolean isOf(Call call, AssumeDetached assumed) {
    return call.getNamespace().equals(assumed.getNamespace())
        && call.getVolume().equals(assumed.getVolume())
        && call.getNode().equals(assumed.getNode());
  }

  private Map<String, List<Rpc>> of(Rpc rpc) {
    return attaching.computeIfAbsent(
        rpc.plugin() + "/" + rpc.call().getExternalVolume(), unused -> new LinkedHashMap<>());
  }
}
