package dev.berth.ops.record;

import dev.berth.records.AllocEvent;
import dev.berth.records.AssumeDetached;
import dev.berth.records.Claim;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimRequested;
import dev.berth.records.Command;
import dev.berth.records.DeregisterVolume;
import dev.berth.records.DetachVolume;
import dev.berth.records.LaneRequest;
import dev.berth.records.Outcome;
import dev.berth.records.RegisterVolume;
import dev.berth.records.RetryVolume;
import dev.berth.records.UnblockVolume;
import dev.berth.records.Volume;
import dev.berth.records.VolumeSpec;
import dev.berth.records.Work;
import dev.berth.records.WorkCall;
import dev.berth.schemas.topics.Topic;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What the volumes of a recording have to do with: plugins, nodes, calls. */
final class Concern {
  /** Above it, only the instances on nodes that appear in the story are told. */
  private static final int FEW_INSTANCES = 50;

  private final Set<String> volumes;
  private final Set<String> plugins = new TreeSet<>();
  private final Set<String> nodes = new TreeSet<>();
  private final Set<String> externals = new TreeSet<>();
  private final Map<String, Work> works = new LinkedHashMap<>();
  private boolean lanesShared;

  Concern(Set<String> volumes, List<Kept> records) {
    this.volumes = volumes;
    records.forEach(this::learn);
    records.forEach(this::learnOfOthers);
    Set<String> instances = new HashSet<>();
    records.stream().filter(this::isOurInstance).forEach(kept -> instances.add(kept.key()));
    for (String key : instances) {
      if (instances.size() <= FEW_INSTANCES || key.contains("/controller@")) {
        nodes.add(key.substring(key.indexOf('@') + 1));
      }
    }
  }

  private void learn(Kept kept) {
    if (kept.value() instanceof AllocEvent event) {
      if (isOurs(event) && event.getBody() instanceof ClaimRequested claim) {
        nodes.add(claim.getNode());
      }
    } else if (kept.value() instanceof Command command) {
      if (command.getBody() instanceof RegisterVolume register) {
        learn(register.getSpec());
      } else if (command.getBody() instanceof DetachVolume detach && isOurs(command)) {
        nodes.add(detach.getNode());
      } else if (command.getBody() instanceof AssumeDetached assumed && isOurs(command)) {
        nodes.add(assumed.getNode());
      }
    } else if (kept.value() instanceof Volume volume) {
      learn(volume.getSpec());
    } else if (kept.value() instanceof Work work) {
      learn(work);
    } else if (kept.value() instanceof ClaimDecision decision && isOurs(decision)) {
      decision.getChanges().forEach(change -> change.getValue().ifPresent(this::learnRow));
    }
  }

  private void learnRow(Object row) {
    if (row instanceof Volume volume) {
      learn(volume.getSpec());
    } else if (row instanceof Claim claim) {
      nodes.add(claim.getNode());
    }
  }

  private void learn(VolumeSpec spec) {
    if (volumes.contains(key(spec))) {
      plugins.add(spec.getPlugin());
      externals.add(spec.getExternalId());
    }
  }

  private void learn(Work work) {
    for (WorkCall call : work.getCalls()) {
      if (isOurs(call)) {
        works.put(work.getAttemptId(), work);
        plugins.add(work.getPlugin());
        externals.add(call.getCall().getExternalVolume());
        nodes.add(call.getCall().getNode());
        nodes.add(work.getInstanceNode());
      }
    }
  }

  private void learnOfOthers(Kept kept) {
    if (kept.value() instanceof Work work && plugins.contains(work.getPlugin())) {
      lanesShared |= work.getCalls().stream().anyMatch(call -> !isOurs(call));
    }
  }

  private boolean isOurInstance(Kept kept) {
    return kept.topic() == Topic.PLUGINS && plugins.contains(pluginOf(kept.key()));
  }

  static String key(VolumeSpec spec) {
    return spec.getNamespace() + "/" + spec.getVolume();
  }

  /** The plugin of an instance's key, plugin/role@node; plugin ids may hold slashes. */
  static String pluginOf(String instance) {
    int at = instance.lastIndexOf('@');
    int slash = instance.lastIndexOf('/', at < 0 ? instance.length() : at);
    return slash < 0 ? instance : instance.substring(0, slash);
  }

  Set<String> volumes() {
    return volumes;
  }

  Set<String> externals() {
    return externals;
  }

  /** Whether calls for other volumes went through the same plugins, as far as records tell. */
  boolean lanesShared() {
    return lanesShared;
  }

  /** The attempt of an id that makes calls for the volumes; empty when it makes none. */
  Optional<Work> work(String attempt) {
    return Optional.ofNullable(works.get(attempt));
  }

  /** The attempts that make calls for the volumes, in the order of their dispatch. */
  Iterable<Work> works() {
    return works.values();
  }

  boolean isNode(String node) {
    return nodes.contains(node);
  }

  boolean isPlugin(String plugin) {
    return plugins.contains(plugin);
  }

  /** Whether an instance belongs into the file. */
  boolean isInstance(Kept kept) {
    return isOurInstance(kept)
        && nodes.contains(kept.key().substring(kept.key().lastIndexOf('@') + 1));
  }

  boolean isOurs(WorkCall call) {
    return volumes.contains(call.getCall().getNamespace() + "/" + call.getCall().getVolume());
  }

  boolean isOurs(AllocEvent event) {
    return volumes.contains(event.getNamespace() + "/" + event.getVolume());
  }

  boolean isOurs(ClaimDecision decision) {
    return volumes.contains(decision.getNamespace() + "/" + decision.getVolume());
  }

  /** Whether a command speaks of one of the volumes. */
  boolean isOurs(Command command) {
    return volumeOf(command).filter(volumes::contains).isPresent();
  }

  private static Optional<String> volumeOf(Command command) {
    Object body = command.getBody();
    if (body instanceof RegisterVolume it) {
      return Optional.of(key(it.getSpec()));
    } else if (body instanceof DeregisterVolume it) {
      return Optional.of(it.getNamespace() + "/" + it.getVolume());
    } else if (body instanceof DetachVolume it) {
      return Optional.of(it.getNamespace() + "/" + it.getVolume());
    } else if (body instanceof RetryVolume it) {
      return Optional.of(it.getNamespace() + "/" + it.getVolume());
    } else if (body instanceof AssumeDetached it) {
      return Optional.of(it.getNamespace() + "/" + it.getVolume());
    } else if (body instanceof UnblockVolume it) {
      return Optional.of(it.getNamespace() + "/" + it.getVolume());
    }
    return Optional.empty();
  }

  /** Whether a record tells of the volumes themselves, not only of what they depend on. */
  boolean isStory(Kept kept) {
    return (kept.value() instanceof AllocEvent event && isOurs(event))
        || (kept.value() instanceof Command command
            && kept.topic() == Topic.COMMANDS
            && isOurs(command))
        || (kept.value() instanceof ClaimDecision decision && isOurs(decision))
        || (kept.value() instanceof Outcome outcome && works.containsKey(outcome.getAttemptId()));
  }

  /** Whether a request is one of the volumes'. */
  boolean isOurs(LaneRequest request) {
    return volumes.contains(request.getVolumeKey());
  }
}
