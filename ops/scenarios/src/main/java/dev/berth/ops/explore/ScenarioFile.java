package dev.berth.ops.explore;

import dev.berth.records.NodeStatus;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.VolumeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Steps of a simulated world as a scenario file. What the notation has no word for stands there as
 * a comment.
 */
final class ScenarioFile {
  private final Setup setup;
  private final List<String> lines = new ArrayList<>();
  private boolean expressible = true;

  private ScenarioFile(Setup setup) {
    this.setup = setup;
  }

  /**
   * Writes steps that were found wrong.
   *
   * @param prompt whether records are handed over at once
   * @param what what is wrong
   * @param healing how it was healed after the steps; null when it was not
   */
  static ScenarioFile of(
      Setup setup,
      Deciders deciders,
      boolean prompt,
      List<Step> steps,
      String what,
      @Nullable Healing healing) {
    ScenarioFile file = new ScenarioFile(setup);
    file.head(what);
    Sim sim = Sim.begin(setup, deciders, prompt);
    sim.listen(step -> file.step(step, sim));
    try {
      steps.forEach(sim::apply);
      if (healing != null) {
        file.lines.add("  # from here on all faults are lifted and all allocs end");
        healing.heal(sim);
      }
    } catch (RuntimeException thrown) {
      file.lines.add("  # the next step makes a decider throw " + thrown);
    }
    return file;
  }

  /** Whether the notation says all of it. */
  boolean expressible() {
    return expressible;
  }

  String text() {
    return String.join("\n", lines) + "\n";
  }

  private void head(String what) {
    lines.add("# " + what.replace('\n', ' '));
    lines.add("id: found");
    lines.add("title: Found by a search");
    lines.add("answers: manual");
    StringBuilder policy = new StringBuilder();
    for (Map.Entry<String, String> setting : new TreeMap<>(setup.policy()).entrySet()) {
      policy.append(policy.isEmpty() ? "" : ", ");
      policy.append('"').append(setting.getKey()).append("\": ");
      policy.append('"').append(setting.getValue()).append('"');
    }
    lines.add("policy: {" + policy + "}");
    lines.add("steps:");
    setup.controllers().forEach(node -> add("node: {id: %s, status: ready}".formatted(node)));
    setup.nodes().forEach(node -> add("node: {id: %s, status: ready}".formatted(node)));
    for (String plugin : setup.plugins()) {
      setup.controllers().forEach(node -> controller(plugin, node, true));
      setup.nodes().forEach(node -> nodePlugin(plugin, node, Setup.machine(plugin, node, 0)));
    }
    setup.volumes().forEach(this::volume);
  }

  private void add(String step) {
    lines.add("  - " + step);
  }

  private void comment(String text) {
    lines.add("  # not expressible: " + text);
    expressible = false;
  }

  private void volume(VolumeSpec volume) {
    StringBuilder modes = new StringBuilder();
    for (VolumeSpec.Capability mode : volume.capabilities()) {
      modes.append(modes.isEmpty() ? "" : ", ");
      modes.append("{access: ").append(Words.symbol(mode.access()));
      modes.append(", attachment: ").append(Words.symbol(mode.attachment())).append('}');
    }
    add(
        "volume: {id: %s, plugin: %s, external: %s, capabilities: [%s]}"
            .formatted(volume.volume(), volume.plugin(), volume.externalId(), modes));
  }

  private void controller(String plugin, String node, boolean healthy) {
    add(
        ("plugin: {id: %s, node: %s, role: controller, health: %s, attach: true,"
                + " publish-readonly: true}")
            .formatted(plugin, node, healthy ? "healthy" : "unhealthy"));
  }

  private void nodePlugin(String plugin, String node, @Nullable String machine) {
    add(
        "plugin: {id: %s, node: %s, role: node, health: healthy%s%s, stage: true}"
            .formatted(
                plugin,
                node,
                machine == null ? "" : ", external-node: " + machine,
                setup.slots() == null ? "" : ", max-volumes: " + setup.slots()));
  }

  private void step(Step step, Sim sim) {
    if (step instanceof Step.Claim claim) {
      add(
          "claim: {alloc: %s, node: %s, volume: %s, mode: %s, access: %s%s}"
              .formatted(
                  claim.alloc(),
                  claim.node(),
                  claim.volume(),
                  Words.symbol(claim.mode()),
                  Words.symbol(claim.access()),
                  claim.promise() ? ", stop-on-disconnect: " + Words.duration(Sim.PROMISE) : ""));
    } else if (step instanceof Step.Status status) {
      add("alloc: {id: %s, status: %s}".formatted(status.alloc(), Words.symbol(status.status())));
    } else if (step instanceof Step.Gone gone) {
      add("alloc-gone: {id: %s}".formatted(gone.alloc()));
    } else if (step instanceof Step.Unmounted unmounted) {
      add("unmounted: {alloc: %s, volume: %s}".formatted(unmounted.alloc(), unmounted.volume()));
    } else if (step instanceof Step.UnmountFailed failed) {
      add(
          "unmount-failed: {alloc: %s, volume: %s, error: busy}"
              .formatted(failed.alloc(), failed.volume()));
    } else if (step instanceof Step.Node node) {
      node(node, sim);
    } else if (step instanceof Step.Controller controller) {
      controller(controller.plugin(), controller.node(), controller.healthy());
    } else if (step instanceof Step.NodePlugin plugin) {
      String machine = sim.provider().machine(plugin.plugin(), plugin.node());
      nodePlugin(plugin.plugin(), plugin.node(), plugin.tellsId() ? machine : null);
    } else if (step instanceof Step.Operator operator) {
      command(operator.body());
    } else if (step instanceof Step.Answer answer) {
      answer(answer, sim);
    } else if (step instanceof Step.Time time) {
      add("advance: %s".formatted(Words.duration(time.passes())));
    } else if (step instanceof Step.RestartStreams) {
      add("restart: streams");
    } else {
      comment(Words.of(step));
    }
  }

  private void node(Step.Node node, Sim sim) {
    add("node: {id: %s, status: %s}".formatted(node.node(), Words.symbol(node.status())));
    for (String plugin : setup.plugins()) {
      if (node.status() == NodeStatus.GONE) {
        add(
            "plugin: {id: %s, node: %s, role: node, health: removed}"
                .formatted(plugin, node.node()));
      } else if (node.status() == NodeStatus.READY) {
        nodePlugin(plugin, node.node(), sim.provider().machine(plugin, node.node()));
      }
    }
  }

  private void command(Command.Body body) {
    if (body instanceof Command.RegisterVolume register) {
      volume(register.spec());
    } else if (body instanceof Command.DeregisterVolume gone) {
      add("volume-gone: {id: %s, force: %s}".formatted(gone.volume(), gone.force()));
    } else if (body instanceof Command.DetachVolume detach) {
      add("command: {detach: {volume: %s, node: %s}}".formatted(detach.volume(), detach.node()));
    } else if (body instanceof Command.AssumeDetached assume) {
      add(
          "command: {assume-detached: {volume: %s, node: %s}}"
              .formatted(assume.volume(), assume.node()));
    } else if (body instanceof Command.RetryVolume retry) {
      add("command: {retry: {volume: %s}}".formatted(retry.volume()));
    } else if (body instanceof Command.UnblockVolume unblock) {
      add("command: {unblock: {volume: %s}}".formatted(unblock.volume()));
    } else if (body instanceof Command.FenceNode fence) {
      add("command: {fence: {node: %s}, reason: because}".formatted(fence.node()));
    } else if (body instanceof Command.UnfenceNode unfence) {
      add("command: {unfence: {node: %s}, reason: because}".formatted(unfence.node()));
    } else if (body instanceof Command.PausePlugin pause) {
      add("command: {pause: {plugin: %s}}".formatted(pause.plugin()));
    } else if (body instanceof Command.ResumePlugin resume) {
      add("command: {resume: {plugin: %s}}".formatted(resume.plugin()));
    } else {
      add("command: {gc: {}}");
    }
  }

  private void answer(Step.Answer answer, Sim sim) {
    Ending ending = answer.ending();
    if (ending.report() == Ending.Report.LATE) {
      comment(Words.of(answer));
    } else if (ending.report() == Ending.Report.NEVER) {
      add("restart: worker");
      if (!sim.workers().calls().isEmpty()) {
        comment("other workers go on");
      }
    } else if (ending == Ending.OK) {
      add("answer: {rpc: \"%s\"}".formatted(answer.rpc()));
    } else if (ending == Ending.UNREACHED) {
      add("answer: {rpc: \"%s\", with: UNAVAILABLE, effect: false}".formatted(answer.rpc()));
    } else {
      add(
          "answer: {rpc: \"%s\", with: %s%s}"
              .formatted(answer.rpc(), ending.code(), ending.done() ? ", effect: true" : ""));
    }
  }
}
