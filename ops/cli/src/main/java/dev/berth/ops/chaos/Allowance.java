package dev.berth.ops.chaos;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.Rpc;
import dev.berth.records.Acceptance;
import dev.berth.records.CsiCall;
import dev.berth.records.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When a controller call might be sent, once: within the time that an acceptance of it allows. All
 * processes of a run read the same clock.
 *
 * @param acceptance its id
 * @param volume the provider's volume id
 * @param node the provider's node id
 * @param from when the acceptance was begun
 * @param until end of the time allowed; the worker checks it right before the send
 */
record Allowance(
    String acceptance,
    String plugin,
    Rpc rpc,
    String volume,
    String node,
    Instant from,
    Instant until) {

  /** Longest way from the check to the plugin's log on a busy machine; less than a margin. */
  private static final Duration WAY = Duration.ofMillis(500);

  boolean covers(Call call) {
    return call.facts().plugin().equals(plugin)
        && call.facts().rpc() == rpc
        && call.facts().volume().equals(volume)
        && call.facts().node().equals(node)
        && !call.startedAt().isBefore(from)
        && !call.startedAt().isAfter(until.plus(WAY));
  }

  /** What a topic's work records and acceptances allow together. */
  static List<Allowance> of(List<Work> works, List<Acceptance> acceptances) {
    Map<String, Work> byAttempt = new HashMap<>();
    works.forEach(work -> byAttempt.put(work.getAttemptId(), work));
    List<Allowance> allowed = new ArrayList<>();
    for (Acceptance acceptance : acceptances) {
      Work work = byAttempt.get(acceptance.getAttemptId());
      if (work != null) {
        work.getCalls().forEach(call -> add(allowed, work.getPlugin(), call.getCall(), acceptance));
      }
    }
    return allowed;
  }

  private static void add(
      List<Allowance> allowed, String plugin, dev.berth.records.Call call, Acceptance acceptance) {
    boolean attach = call.getRpc() == CsiCall.CONTROLLER_PUBLISH;
    if (attach || call.getRpc() == CsiCall.CONTROLLER_UNPUBLISH) {
      allowed.add(
          new Allowance(
              acceptance.getAcceptanceId(),
              plugin,
              attach ? Rpc.CONTROLLER_PUBLISH : Rpc.CONTROLLER_UNPUBLISH,
              call.getExternalVolume(),
              call.getExternalNode().orElse(""),
              acceptance.getAt(),
              acceptance.getAt().plusMillis(acceptance.getTimeAllowedMillis())));
    }
  }
}
