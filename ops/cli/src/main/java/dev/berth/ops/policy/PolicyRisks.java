package dev.berth.ops.policy;

import dev.berth.streams.policy.Policy;
import dev.berth.streams.policy.Policy.NodeLoss;
import dev.berth.streams.policy.Policy.NodeStepBy;
import dev.berth.streams.policy.Policy.UnpublishNotFound;
import java.util.ArrayList;
import java.util.List;

/** What can be lost once another policy holds: settings by which Berth takes more for granted. */
public final class PolicyRisks {
  private PolicyRisks() {}

  /**
   * The risks that there were not before, a sentence each.
   *
   * @param before what holds now
   * @param after what would hold
   */
  public static List<String> between(Policy before, Policy after) {
    List<String> risks = new ArrayList<>();
    if (after.nodeLoss() == NodeLoss.DETACH && before.nodeLoss() != NodeLoss.DETACH) {
      risks.add(
          "node-loss=detach: a node that is down counts as unmounted at once. If it still runs, its"
              + " workloads write while others do: data can be destroyed.");
    }
    if (after.unpublishNotFound() == UnpublishNotFound.RELEASED
        && before.unpublishNotFound() == UnpublishNotFound.RETRY) {
      risks.add(
          "unpublish-not-found=released: if the plugin answers NOT_FOUND for what is still attached,"
              + " the volume is given to another node beside it: data can be destroyed.");
    }
    if (after.nodeStep() == NodeStepBy.WORKER && before.nodeStep() == NodeStepBy.CLIENT) {
      risks.add(
          "node-step=worker: Berth no longer waits for clients to say that they have unmounted. What"
              + " they have mounted themselves is detached under them: what is not written yet is lost.");
    }
    return risks;
  }
}
