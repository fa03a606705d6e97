package dev.berth.streams.query;

import dev.berth.records.GarbageCollection;
import dev.berth.records.InstanceGone;
import dev.berth.records.InstanceView;
import dev.berth.records.NodeGone;
import dev.berth.records.NodeView;
import dev.berth.records.PluginGone;
import dev.berth.records.PluginRole;
import dev.berth.records.PluginView;
import dev.berth.records.PoliciesChanged;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.TreeSet;

/** A change of the cluster, said to people from the fields of its signal. */
final class SignalTexts {
  private SignalTexts() {}

  /**
   * One sentence, without its time.
   *
   * @param body body of a signal
   */
  static String of(Object body) {
    if (body instanceof NodeView node) {
      return node(node, Words.of(node.getStatus()));
    } else if (body instanceof NodeGone gone) {
      return node(gone.getLast(), "gone");
    } else if (body instanceof InstanceView instance) {
      return instance(instance);
    } else if (body instanceof InstanceGone gone) {
      return "%s was removed".formatted(service(gone.getRole(), gone.getPlugin(), gone.getNode()));
    } else if (body instanceof PluginView plugin) {
      return plugin(plugin);
    } else if (body instanceof PluginGone gone) {
      return "plugin %s has had no instance for so long that its record was removed"
          .formatted(gone.getPlugin());
    } else if (body instanceof PoliciesChanged changed) {
      return "the policies are those of version %d now: %s"
          .formatted(
              changed.getVersion(),
              String.join(", ", new TreeSet<>(changed.getPolicies().keySet())));
    } else if (body instanceof GarbageCollection collection) {
      return collection(collection);
    }
    return EventTexts.word(body.getClass().getSimpleName());
  }

  private static String node(NodeView node, String status) {
    String eligible = node.getEligible() ? "" : ", not eligible";
    String fence =
        node.getFence()
            .map(
                it ->
                    "; fenced by %s at %s: %s"
                        .formatted(it.getBy(), time(it.getAt()), it.getReason()))
            .orElse("");
    return "node %s is %s%s, as scheduler %s says%s"
        .formatted(node.getNode(), status, eligible, node.getScheduler(), fence);
  }

  private static String instance(InstanceView instance) {
    String service = service(instance.getRole(), instance.getPlugin(), instance.getNode());
    if (instance.getHealthy()) {
      return service + " is well";
    }
    return instance.getHealthText().isEmpty()
        ? service + " is not well"
        : "%s is not well: %s".formatted(service, instance.getHealthText());
  }

  private static String service(PluginRole role, String plugin, String node) {
    return "the %s of plugin %s on node %s"
        .formatted(role == PluginRole.CONTROLLER ? "controller" : "node service", plugin, node);
  }

  private static String plugin(PluginView plugin) {
    String needs = plugin.getControllerRequired() ? "a controller" : "no controller";
    return plugin
        .getEmptySince()
        .map(at -> "plugin %s has no instance since %s".formatted(plugin.getPlugin(), time(at)))
        .orElseGet(
            () -> "plugin %s has an instance and needs %s".formatted(plugin.getPlugin(), needs));
  }

  private static String collection(GarbageCollection collection) {
    return collection.getBy().isEmpty()
        ? "the collection of garbage that is due from time to time"
        : "a collection of garbage that %s asked for%s"
            .formatted(
                collection.getBy(),
                collection.getIgnoreThresholds() ? ", whatever the thresholds" : "");
  }

  private static Instant time(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS);
  }
}
