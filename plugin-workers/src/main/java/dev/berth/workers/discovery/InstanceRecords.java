package dev.berth.workers.discovery;

import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.discovery.Finding.ControllerAbilities;
import dev.berth.workers.discovery.Finding.NodeAbilities;
import dev.berth.workers.discovery.Finding.Well;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** What is published of a plugin endpoint, and when. */
final class InstanceRecords {

  private InstanceRecords() {}

  /** Returns the key of an instance: {@code plugin/role@node}. */
  static String key(PluginInstance instance) {
    return key(instance.getPlugin(), instance.getRole(), instance.getNode());
  }

  /** Returns the key of an instance. */
  static String key(String plugin, PluginRole role, String node) {
    return "%s/%s@%s".formatted(plugin, role.name().toLowerCase(Locale.ROOT), node);
  }

  /**
   * Returns the record of an endpoint.
   *
   * @param endpoint the endpoint
   * @param plugin plugin id
   * @param worker worker that reports
   * @param finding what was found now
   * @param known what was found when it was last well: an unwell plugin keeps what is known of it
   * @param at now
   */
  static PluginInstance of(
      EndpointConfig endpoint,
      String plugin,
      String worker,
      Finding finding,
      Optional<Well> known,
      Instant at) {
    PluginInstance.Builder instance =
        PluginInstance.newBuilder()
            .setPlugin(plugin)
            .setNode(endpoint.node())
            .setRole(endpoint.role())
            .setRoute(endpoint.route())
            .setEndpoint(endpoint.address().text())
            .setWorker(worker)
            .setSeenAt(at);
    if (finding instanceof Well well) {
      describe(instance.setHealth(PluginHealth.HEALTHY), well);
    } else if (finding instanceof Finding.Ill ill) {
      instance.setHealth(PluginHealth.UNHEALTHY).setHealthText(ill.text());
      known.ifPresent(well -> describe(instance, well));
    }
    return instance.build();
  }

  /**
   * Returns what an earlier report, of whatever worker, tells of an instance that was well then;
   * empty when it never was.
   */
  static Optional<Well> known(PluginInstance earlier) {
    if (earlier.getRole() == PluginRole.CONTROLLER) {
      return Optional.of(
          new Well(
              "",
              earlier.getVersion(),
              new ControllerAbilities(
                  earlier.getAttach(), earlier.getPublishReadOnly(), earlier.getListPublished())));
    }
    return earlier
        .getExternalNode()
        .map(
            node ->
                new Well(
                    "",
                    earlier.getVersion(),
                    new NodeAbilities(
                        earlier.getStage(), node, earlier.getMaxVolumes(), earlier.getTopology())));
  }

  /** Returns the record that takes an instance back; nothing is said of it but that. */
  static PluginInstance removed(PluginInstance last, Instant at) {
    return PluginInstance.newBuilder(last)
        .setHealth(PluginHealth.REMOVED)
        .setHealthText("")
        .setSeenAt(at)
        .build();
  }

  /**
   * Returns whether a record is to be published now: at once when it says something new, else once
   * per interval. A record that is older than the last one shows that the clock was set back: to
   * wait for that time to come again would be a silence.
   */
  static boolean isDue(Optional<PluginInstance> last, PluginInstance now, Duration interval) {
    return last.isEmpty()
        || !last.get()
            .equals(PluginInstance.newBuilder(now).setSeenAt(last.get().getSeenAt()).build())
        || now.getSeenAt().isBefore(last.get().getSeenAt())
        || !now.getSeenAt().isBefore(last.get().getSeenAt().plus(interval));
  }

  private static void describe(PluginInstance.Builder instance, Well well) {
    instance.setVersion(well.version());
    if (well.abilities() instanceof ControllerAbilities controller) {
      instance
          .setAttach(controller.attach())
          .setPublishReadOnly(controller.publishReadOnly())
          .setListPublished(controller.listPublished());
    } else if (well.abilities() instanceof NodeAbilities node) {
      instance
          .setStage(node.stage())
          .setExternalNode(node.externalNode())
          .setMaxVolumes(node.maxVolumes().orElse(null))
          .setTopology(node.topology());
    }
  }
}
