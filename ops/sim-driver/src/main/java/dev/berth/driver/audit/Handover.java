package dev.berth.driver.audit;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.Rpc;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A single-node volume goes to another node only after an OK detach from the first, whatever its
 * attach was answered: also a failed attach may have been carried out.
 */
final class Handover {

  private final List<Finding> findings = new ArrayList<>();
  // By node: the attach that may still hold the volume there.
  private final Map<String, Call> holders = new TreeMap<>();

  private Handover() {}

  /** Checks the calls of one volume. */
  static List<Finding> check(List<Call> ofVolume) {
    Handover handover = new Handover();
    Moment.of(ofVolume).forEach(handover::see);
    return handover.findings;
  }

  private void see(Moment moment) {
    Call call = moment.call();
    String node = call.facts().node();
    if (call.facts().rpc() == Rpc.CONTROLLER_PUBLISH) {
      if (moment.kind() == Moment.Kind.START) {
        holders.forEach(
            (holder, attach) -> {
              if (!holder.equals(node)) {
                findings.add(new Finding.NotReleased(attach, call));
              }
            });
        holders.put(node, call);
      } else if (moment.kind() == Moment.Kind.END && answered(call, Status.Code.UNIMPLEMENTED)) {
        holders.remove(node, call);
      }
    } else if (call.facts().rpc() == Rpc.CONTROLLER_UNPUBLISH
        && moment.kind() == Moment.Kind.END
        && (answered(call, Status.Code.OK) || answered(call, Status.Code.NOT_FOUND))) {
      holders.keySet().removeIf(holder -> node.isEmpty() || holder.equals(node));
    }
  }

  private static boolean answered(Call call, Status.Code code) {
    return call.end().filter(end -> end.code() == code).isPresent();
  }
}
