package dev.berth.ops.record;

import dev.berth.records.ClaimDecision;
import dev.berth.records.CollectGarbage;
import dev.berth.records.Command;
import dev.berth.records.FenceNode;
import dev.berth.records.Node;
import dev.berth.records.PausePlugin;
import dev.berth.records.PluginInstance;
import dev.berth.records.Policy;
import dev.berth.records.ResumePlugin;
import dev.berth.records.StateChange;
import dev.berth.records.UnfenceNode;
import dev.berth.records.Volume;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.topics.Topic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The world as it was when a recording begins: the last word on each thing until then. */
final class Setup {
  static final String DEFAULT_POLICY = "default";

  private final Concern concern;
  private final Map<String, Kept> nodes = new LinkedHashMap<>();
  private final Map<String, Kept> instances = new LinkedHashMap<>();
  private final Map<String, Kept> policies = new LinkedHashMap<>();
  private final Map<String, VolumeSpec> volumes = new LinkedHashMap<>();
  private final Map<String, Command> orders = new LinkedHashMap<>();

  /** Of the records before a position. */
  Setup(List<Kept> records, int position, Concern concern) {
    this.concern = concern;
    records.subList(0, position).forEach(this::learn);
    Instant begin = position < records.size() ? records.get(position).at() : Instant.MAX;
    records.forEach(kept -> lateVolume(kept, begin));
  }

  private void learn(Kept kept) {
    switch (kept.topic()) {
      case NODES -> nodes.put(kept.key(), kept);
      case PLUGINS -> instances.put(kept.key(), kept);
      case POLICIES -> policies.put(kept.key(), kept);
      case COMMANDS -> {
        if (kept.value() instanceof Command command && isWanted(command, concern)) {
          learn(command);
        }
      }
      case CLAIM_HISTORY -> {
        if (kept.value() instanceof ClaimDecision decision && concern.isOurs(decision)) {
          decision.getChanges().forEach(this::learn);
        }
      }
      default -> {
        // Tells nothing of the world before.
      }
    }
  }

  private void learn(Command command) {
    if (command.getBody() instanceof FenceNode it) {
      orders.put("node " + it.getNode(), command);
    } else if (command.getBody() instanceof UnfenceNode it) {
      orders.remove("node " + it.getNode());
    } else if (command.getBody() instanceof PausePlugin it) {
      orders.put("plugin " + it.getPlugin(), command);
    } else if (command.getBody() instanceof ResumePlugin it) {
      orders.remove("plugin " + it.getPlugin());
    }
  }

  private void learn(StateChange change) {
    if (change.getTable().equals("volumes")) {
      if (change.getValue().orElse(null) instanceof Volume volume) {
        volumes.put(change.getKey(), volume.getSpec());
      } else {
        volumes.remove(change.getKey());
      }
    }
  }

  /** A volume whose registration is older than the history; its row is kept for ever. */
  private void lateVolume(Kept kept, Instant begin) {
    if (kept.topic() == Topic.VOLUMES
        && kept.value() instanceof Volume volume
        && concern.volumes().contains(kept.key())
        && volume.getRegisteredAt().isBefore(begin)) {
      volumes.putIfAbsent(kept.key(), volume.getSpec());
    }
  }

  /** Whether a command belongs into the file. */
  static boolean isWanted(Command command, Concern concern) {
    Object body = command.getBody();
    return (body instanceof FenceNode fence && concern.isNode(fence.getNode()))
        || (body instanceof UnfenceNode unfence && concern.isNode(unfence.getNode()))
        || (body instanceof PausePlugin pause && concern.isPlugin(pause.getPlugin()))
        || (body instanceof ResumePlugin resume && concern.isPlugin(resume.getPlugin()))
        || body instanceof CollectGarbage
        || concern.isOurs(command);
  }

  /** The settings for everything; empty when none were written. */
  Map<String, String> defaults() {
    Kept kept = policies.get(DEFAULT_POLICY);
    return kept != null && kept.value() instanceof Policy policy
        ? StepTexts.settings(policy)
        : Map.of();
  }

  /** The steps that make this world. */
  List<Step> steps(Secrets secrets) {
    List<Step> steps = new ArrayList<>();
    nodes.forEach(
        (id, kept) -> {
          if (concern.isNode(id)) {
            StepTexts.node(id, (Node) kept.value()).ifPresent(steps::add);
          }
        });
    instances.forEach(
        (key, kept) -> {
          if (concern.isInstance(kept)) {
            steps.add(StepTexts.instance(key, (PluginInstance) kept.value()));
          }
        });
    policies.forEach(
        (name, kept) -> {
          if (isOurs(name)) {
            StepTexts.policy(name, (Policy) kept.value()).ifPresent(steps::add);
          }
        });
    volumes.forEach(
        (key, spec) -> {
          steps.add(StepTexts.volume(spec));
          steps.addAll(secrets.needed(spec));
        });
    orders.values().forEach(order -> StepTexts.command(order).ifPresent(steps::add));
    return steps;
  }

  private boolean isOurs(String policy) {
    return (policy.startsWith("plugin/") && concern.isPlugin(policy.substring(7)))
        || (policy.startsWith("volume/") && concern.volumes().contains(policy.substring(7)));
  }
}
