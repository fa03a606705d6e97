package dev.berth.streams.cluster;

import dev.berth.streams.command.Command;
import dev.berth.streams.command.Refusal;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.policy.Policy;
import java.time.Instant;

/**
 * Decides what is known of the cluster. What a report does not change goes to nobody, so heartbeats
 * cost the others nothing.
 */
public final class ClusterDecider {
  private ClusterDecider() {}

  /**
   * Decides an event. Total and deterministic.
   *
   * @param state tables of {@link ClusterTables} and {@link OwnTables}
   * @param event what happened
   * @param now time of the decision, in whole milliseconds
   * @param configured the configuration's policies; published ones replace them, name by name
   */
  public static Decision<ClusterEffect> decide(
      State state, ClusterEvent event, Instant now, Policies configured) {
    ClusterDraft draft = new ClusterDraft(state, now, configured);
    if (event instanceof ClusterEvent.NodeReported reported) {
      Nodes.report(draft, reported.report());
    } else if (event instanceof ClusterEvent.NodeDeleted deleted) {
      Nodes.delete(draft, deleted.node());
    } else if (event instanceof ClusterEvent.InstanceReported reported) {
      Instances.report(draft, reported.report());
    } else if (event instanceof ClusterEvent.InstanceDeleted deleted) {
      Instances.remove(draft, deleted.plugin(), deleted.node(), deleted.role());
    } else if (event instanceof ClusterEvent.PolicyReported reported) {
      PolicyBook.report(draft, reported.policy());
    } else if (event instanceof ClusterEvent.PolicyDeleted deleted) {
      PolicyBook.delete(draft, deleted.name());
    } else if (event instanceof ClusterEvent.CommandArrived arrived) {
      command(draft, arrived.command());
    } else if (event instanceof ClusterEvent.Tick) {
      tick(draft);
    }
    return draft.decision();
  }

  private static void command(ClusterDraft draft, Command command) {
    if (command.body() instanceof Command.FenceNode fence) {
      Nodes.fence(draft, command, fence.node());
    } else if (command.body() instanceof Command.UnfenceNode unfence) {
      Nodes.unfence(draft, command, unfence.node());
    } else if (command.body() instanceof Command.CollectGarbage) {
      collect(draft, command);
    } else {
      draft.refuse(
          command,
          Refusal.INVALID,
          "%s is not decided here: send it to the topic commands".formatted(command.body().name()));
    }
  }

  private static void collect(ClusterDraft draft, Command command) {
    ClusterClock clock = OwnTables.clock(draft.tables());
    int removed =
        PluginCollection.run(
            draft, clock == null ? ClusterClock.tick(null, draft.now()) : clock, true);
    draft.announce(new ClusterSignal.GarbageCollection(true, command.by()));
    draft.done(
        command,
        "every volume is being looked at, whatever the thresholds; plugin records removed: "
            + removed);
  }

  private static void tick(ClusterDraft draft) {
    PolicyBook.refresh(draft);
    Policy policy = ClusterTables.policies(draft.tables()).byDefault();
    ClusterClock before = OwnTables.clock(draft.tables());
    ClusterClock clock = ClusterClock.tick(before, draft.now());
    draft.tables().put(OwnTables.CLOCK, OwnTables.CLOCK_KEY, clock);
    Instances.markSilent(draft, clock);
    if (before != null && before.passes(policy.pluginGc().interval(), draft.now())) {
      PluginCollection.run(draft, clock, false);
    }
    if (before != null && before.passes(policy.gc().interval(), draft.now())) {
      draft.announce(new ClusterSignal.GarbageCollection(false, ""));
    }
  }
}
