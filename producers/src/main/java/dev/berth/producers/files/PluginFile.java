package dev.berth.producers.files;

import dev.berth.producers.FieldRules;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Reads plugin instances from a file: those that no worker looks after. */
public final class PluginFile {

  /** Removed is said by removing the record. */
  private static final PluginHealth[] HEALTH = {PluginHealth.HEALTHY, PluginHealth.UNHEALTHY};

  private enum Ability {
    ATTACH(PluginRole.CONTROLLER),
    PUBLISH_READONLY(PluginRole.CONTROLLER),
    LIST_PUBLISHED(PluginRole.CONTROLLER),
    STAGE(PluginRole.NODE);

    private final PluginRole of;

    Ability(PluginRole of) {
      this.of = of;
    }
  }

  private PluginFile() {}

  /**
   * Reads instances. They name no worker: nobody reports them again, and they do not fall silent.
   *
   * @param file name for errors
   * @param text the file's content, YAML or JSON
   * @param now when they are written down
   * @throws InvalidFileException with all that is wrong
   */
  public static List<Located<PluginInstance>> instances(String file, String text, Instant now) {
    return Records.read(
        file,
        text,
        fields -> instance(fields, now),
        instance ->
            List.of(
                "%s instance of plugin %s on node %s"
                    .formatted(
                        Symbols.word(instance.getRole()),
                        instance.getPlugin(),
                        instance.getNode())));
  }

  private static PluginInstance instance(Fields fields, Instant now) {
    PluginInstance.Builder instance =
        PluginInstance.newBuilder()
            .setPlugin(
                fields.required("plugin", "the plugin's id", id -> FieldRules.id("plugin", id)))
            .setNode(
                fields.required(
                    "node", "the id of the node it runs on", id -> FieldRules.id("node", id)))
            .setRole(fields.requiredSymbol("role", "a role", PluginRole.values()))
            .setHealth(fields.symbol("health", "a health", HEALTH).orElse(PluginHealth.HEALTHY))
            .setHealthText(fields.text("health-text", FieldRules::text).orElse(""))
            .setVersion(fields.text("version", text -> FieldRules.name("version", text)).orElse(""))
            .setRoute(fields.text("route", text -> FieldRules.name("route", text)).orElse("pool"))
            .setEndpoint(
                fields.text("endpoint", text -> FieldRules.providerId("endpoint", text)).orElse(""))
            .setWorker("")
            .setSeenAt(now);
    abilities(fields, instance);
    ofNode(fields, instance);
    return instance.build();
  }

  private static void abilities(Fields fields, PluginInstance.Builder instance) {
    for (Ability ability : fields.symbols("capabilities", "a capability", Ability.values())) {
      switch (ability) {
        case ATTACH -> instance.setAttach(true);
        case PUBLISH_READONLY -> instance.setPublishReadOnly(true);
        case LIST_PUBLISHED -> instance.setListPublished(true);
        case STAGE -> instance.setStage(true);
      }
      if (ability.of != instance.getRole()) {
        fields.wrong(
            "capabilities",
            "%s belongs to %s instances; take it out"
                .formatted(Symbols.word(ability), Symbols.word(ability.of)));
      }
    }
  }

  private static void ofNode(Fields fields, PluginInstance.Builder instance) {
    fields
        .text("external-node", text -> FieldRules.providerId("external-node", text))
        .ifPresent(
            id -> {
              CsiLimits.string(fields, "external-node", id, CsiLimits.NODE_ID);
              instance.setExternalNode(id);
              onlyOfNode(fields, "external-node", instance);
            });
    fields
        .count("max-volumes")
        .ifPresent(
            most -> {
              instance.setMaxVolumes(most);
              onlyOfNode(fields, "max-volumes", instance);
            });
    Map<String, String> topology = fields.map("topology");
    CsiLimits.map(fields, "topology", topology);
    instance.setTopology(topology);
    if (!topology.isEmpty()) {
      onlyOfNode(fields, "topology", instance);
    }
  }

  private static void onlyOfNode(Fields fields, String field, PluginInstance.Builder instance) {
    if (instance.getRole() != PluginRole.NODE) {
      fields.wrong(field, "belongs to node instances; take it out");
    }
  }
}
