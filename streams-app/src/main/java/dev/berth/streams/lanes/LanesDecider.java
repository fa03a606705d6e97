package dev.berth.streams.lanes;

import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import java.time.Instant;

/**
 * Decides what the lanes do next: the one decider of queues, open calls, retries, pauses, slots and
 * external ids. Pure and total: no input throws, and the same state, event, time and policies give
 * the same decision.
 */
public final class LanesDecider {
  private LanesDecider() {}

  /**
   * Decides on an event.
   *
   * @param state the tables of {@link LaneTables} and the view of the cluster; only read
   * @param event what happened; for changes of the cluster the view is already the new one
   * @param now time of the decision
   * @param policies policies in force
   */
  public static Decision<LanesEffect> decide(
      State state, LanesEvent event, Instant now, Policies policies) {
    LanesDraft draft = new LanesDraft(state, now, policies);
    apply(draft, event);
    LaneTurns.startAll(draft);
    return draft.decision();
  }

  private static void apply(LanesDraft draft, LanesEvent event) {
    if (event instanceof LanesEvent.Requested requested) {
      Requests.requested(draft, requested.request());
    } else if (event instanceof LanesEvent.Accepted accepted) {
      Attempts.accepted(draft, accepted);
    } else if (event instanceof LanesEvent.OutcomeArrived outcome) {
      Attempts.outcome(draft, outcome);
    } else if (event instanceof LanesEvent.NodeChanged node) {
      Waking.nodeChanged(draft, node);
    } else if (event instanceof LanesEvent.InstanceChanged instance) {
      Waking.instanceChanged(draft, instance);
    } else if (event instanceof LanesEvent.PluginChanged plugin) {
      Waking.pluginChanged(draft, plugin);
    } else if (event instanceof LanesEvent.PoliciesChanged) {
      LaneScopes.refresh(draft);
    } else if (event instanceof LanesEvent.Commanded commanded) {
      Pausing.commanded(draft, commanded.command());
    } else if (event instanceof LanesEvent.SecretsFound found) {
      Waking.secretsFound(draft, found);
    } else if (event instanceof LanesEvent.ListingArrived page) {
      Listings.arrived(draft, page);
    } else if (event instanceof LanesEvent.GcRequested) {
      Breakers.collect(draft);
      LaneScopes.startAll(draft, "");
    } else if (event instanceof LanesEvent.Due) {
      Timers.due(draft);
    } else if (event instanceof LanesEvent.ClockSet) {
      Attempts.countAnew(draft);
    } else if (event instanceof LanesEvent.OwnerChanged) {
      Attempts.countAnew(draft);
      LaneScopes.startAll(draft, "");
    }
  }
}
