package dev.berth.ops.record;

import dev.berth.ops.scenario.Words;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocGone;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.AssumeDetached;
import dev.berth.records.Capability;
import dev.berth.records.ClaimRequested;
import dev.berth.records.CollectGarbage;
import dev.berth.records.Command;
import dev.berth.records.DeregisterVolume;
import dev.berth.records.DetachVolume;
import dev.berth.records.FenceNode;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.PausePlugin;
import dev.berth.records.PluginInstance;
import dev.berth.records.Policy;
import dev.berth.records.ResumePlugin;
import dev.berth.records.RetryVolume;
import dev.berth.records.UnblockVolume;
import dev.berth.records.UnfenceNode;
import dev.berth.records.UnmountFailed;
import dev.berth.records.Unmounted;
import dev.berth.records.VolumeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The step that a file has for a record from outside: the way back of what a runner does. */
final class StepTexts {
  private static final String DEFAULT = "default";

  /** Whose word a step is when it does not say. */
  private static final String SCHEDULER = "scenario";

  private StepTexts() {}

  // ---- the cluster

  static Optional<Step> node(String key, @Nullable Node node) {
    if (node == null) {
      return Optional.of(Step.of("node").with("id", key).with("status", "gone"));
    }
    return node.getStatus() == NodeStatus.UNRECOGNIZED
        ? Optional.empty()
        : Optional.of(
            Step.of("node")
                .with("id", node.getNode())
                .with("status", Words.of(node.getStatus()))
                .unless(true, "eligible", node.getEligible())
                .unless(SCHEDULER, "scheduler", node.getScheduler()));
  }

  static Step instance(String key, @Nullable PluginInstance instance) {
    if (instance == null) {
      String plugin = Concern.pluginOf(key);
      int at = key.lastIndexOf('@');
      return Step.of("plugin")
          .with("id", plugin)
          .with("node", key.substring(at + 1))
          .with("role", key.substring(plugin.length() + 1, at))
          .with("health", "removed");
    }
    return Step.of("plugin")
        .with("id", instance.getPlugin())
        .with("node", instance.getNode())
        .with("role", Words.of(instance.getRole()))
        .with("health", Words.of(instance.getHealth()))
        .with("external-node", instance.getExternalNode())
        .with("max-volumes", instance.getMaxVolumes())
        .unless(false, "stage", instance.getStage())
        .unless(false, "attach", instance.getAttach())
        .unless(false, "list-published", instance.getListPublished())
        .unless(false, "publish-readonly", instance.getPublishReadOnly());
  }

  /** Policies of a plugin or a volume; empty for those of everything. */
  static Optional<Step> policy(String name, @Nullable Policy policy) {
    Map<String, String> settings = policy == null ? Map.of() : settings(policy);
    if (name.startsWith("plugin/")) {
      return Optional.of(
          Step.of("policy")
              .with("plugin", name.substring("plugin/".length()))
              .with("settings", settings));
    } else if (name.startsWith("volume/")) {
      String volume = name.substring("volume/".length());
      return Optional.of(volume(Step.of("policy"), volume).with("settings", settings));
    }
    return Optional.empty();
  }

  /** Settings without jitter: a scenario knows no chance. */
  static Map<String, String> settings(Policy policy) {
    Map<String, String> settings = new LinkedHashMap<>();
    policy.getSettings().entrySet().stream()
        .filter(setting -> !setting.getKey().equals("backoff.jitter"))
        .sorted(Map.Entry.comparingByKey())
        .forEach(setting -> settings.put(setting.getKey(), setting.getValue()));
    return settings;
  }

  // ---- volumes

  static Step volume(VolumeSpec spec) {
    List<Map<String, String>> capabilities = new ArrayList<>();
    for (Capability pair : spec.getCapabilities()) {
      Map<String, String> capability = new LinkedHashMap<>();
      capability.put("access", Words.of(pair.getAccess()));
      capability.put("attachment", Words.of(pair.getAttachment()));
      capabilities.add(capability);
    }
    Map<String, String> secrets = new LinkedHashMap<>();
    spec.getSecrets().forEach((name, reference) -> secrets.put(name, secret(reference)));
    return Step.of("volume")
        .with("id", spec.getVolume())
        .unless(DEFAULT, "namespace", spec.getNamespace())
        .with("plugin", spec.getPlugin())
        .with("external", spec.getExternalId())
        .with("capabilities", capabilities)
        .unless(Map.of(), "secrets", secrets)
        .unless(Map.of(), "parameters", spec.getParameters())
        .unless(List.of(), "topologies", spec.getTopologies());
  }

  /** What a reference names, without who resolves it: in a scenario that is the scenario. */
  static String secret(String reference) {
    int colon = reference.indexOf(':');
    return reference.startsWith("${") && reference.endsWith("}") && colon > 0
        ? reference.substring(colon + 1, reference.length() - 1)
        : reference;
  }

  private static Step volume(Step step, String volume) {
    int slash = volume.indexOf('/');
    return step.with("volume", volume.substring(slash + 1))
        .unless(DEFAULT, "namespace", volume.substring(0, slash));
  }

  // ---- allocs

  /**
   * A statement about an alloc.
   *
   * @param present generation of the claim that is there when it comes; 0 when there is none
   */
  static Step statement(AllocEvent event, long present) {
    String volume = event.getNamespace() + "/" + event.getVolume();
    Object body = event.getBody();
    if (body instanceof ClaimRequested claim) {
      return owned(
          claim(volume(Step.of("claim").with("alloc", event.getAlloc()), volume), claim), event);
    } else if (body instanceof AllocStatusChanged status) {
      return owned(
          Step.of("alloc")
              .with("id", event.getAlloc())
              .with("status", Words.of(status.getClient()))
              .unless("run", "desired", Words.of(status.getDesired())),
          event);
    } else if (body instanceof AllocGone gone) {
      return owned(
          Step.of("alloc-gone")
              .with("id", event.getAlloc())
              .with("generation", earlier(gone.getClaimGeneration(), present)),
          event);
    } else if (body instanceof Unmounted unmounted) {
      return owned(
          volume(Step.of("unmounted").with("alloc", event.getAlloc()), volume)
              .with("generation", earlier(unmounted.getClaimGeneration(), present)),
          event);
    }
    UnmountFailed failed = (UnmountFailed) body;
    return owned(
        volume(Step.of("unmount-failed").with("alloc", event.getAlloc()), volume)
            .unless("", "error", failed.getError())
            .with("generation", earlier(failed.getClaimGeneration(), present)),
        event);
  }

  private static Step claim(Step step, ClaimRequested claim) {
    return step.with("node", claim.getNode())
        .with("mode", Words.of(claim.getMode()))
        .with("access", Words.of(claim.getAccess()))
        .unless("file-system", "attachment", Words.of(claim.getAttachment()))
        .with("stop-on-disconnect", claim.getStopOnDisconnectMillis().map(Duration::ofMillis))
        .with("block", claim.getBlock())
        .unless("service", "job-type", Words.of(claim.getJobType()));
  }

  private static Step owned(Step step, AllocEvent event) {
    return step.with("index", event.getIndex() > 0 ? event.getIndex() : null)
        .unless(SCHEDULER, "scheduler", event.getScheduler());
  }

  /**
   * A scenario counts generations anew, so only this can be said of one: that it is that of the
   * present claim, which needs no words, or an earlier one.
   */
  private static @Nullable Long earlier(Optional<Long> said, long present) {
    return said.filter(generation -> generation < present).map(generation -> 0L).orElse(null);
  }

  // ---- commands

  /** A command; empty for those of a newer version. */
  static Optional<Step> command(Command command) {
    Object body = command.getBody();
    if (body instanceof DeregisterVolume gone) {
      return Optional.of(
          Step.of("volume-gone")
              .with("id", gone.getVolume())
              .unless(DEFAULT, "namespace", gone.getNamespace())
              .unless(false, "force", gone.getForce()));
    }
    return subject(body)
        .map(
            asked ->
                new Step("command", asked.fields())
                    .with("by", command.getBy())
                    .with("reason", command.getReason()));
  }

  private static Optional<Step> subject(Object body) {
    if (body instanceof DetachVolume it) {
      Step about = volume(Step.of(""), it.getNamespace() + "/" + it.getVolume());
      return asked("detach", about.with("node", it.getNode()));
    } else if (body instanceof AssumeDetached it) {
      Step about = volume(Step.of(""), it.getNamespace() + "/" + it.getVolume());
      return asked("assume-detached", about.with("node", it.getNode()));
    } else if (body instanceof RetryVolume it) {
      Step about = volume(Step.of(""), it.getNamespace() + "/" + it.getVolume());
      return asked("retry", about.with("alloc", it.getAlloc()));
    } else if (body instanceof UnblockVolume it) {
      return asked("unblock", volume(Step.of(""), it.getNamespace() + "/" + it.getVolume()));
    } else if (body instanceof FenceNode it) {
      return asked("fence", Step.of("").with("node", it.getNode()));
    } else if (body instanceof UnfenceNode it) {
      return asked("unfence", Step.of("").with("node", it.getNode()));
    } else if (body instanceof PausePlugin it) {
      return asked("pause", Step.of("").with("plugin", it.getPlugin()));
    } else if (body instanceof ResumePlugin it) {
      return asked("resume", Step.of("").with("plugin", it.getPlugin()));
    } else if (body instanceof CollectGarbage) {
      return asked("gc", Step.of(""));
    }
    return Optional.empty();
  }

  private static Optional<Step> asked(String name, Step about) {
    return Optional.of(Step.of("command").with(name, about.fields()));
  }
}
