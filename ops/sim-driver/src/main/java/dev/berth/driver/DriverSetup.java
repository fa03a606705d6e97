package dev.berth.driver;

import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderNode;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.driver.provider.Volume;
import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Rule;
import dev.berth.driver.script.RuleText;
import dev.berth.driver.script.Script;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a driver process is started with, as read from a properties file.
 *
 * @param nodes nodes that exist besides the one of the driver
 * @param rules of the script, the last one the strongest
 * @param seed for the times that the script draws
 */
record DriverSetup(
    DriverSpec spec,
    ProviderSpec provider,
    List<Volume> volumes,
    List<ProviderNode> nodes,
    List<Rule> rules,
    long seed) {

  DriverSetup {
    volumes = List.copyOf(volumes);
    nodes = List.copyOf(nodes);
    rules = List.copyOf(rules);
  }

  /**
   * Reads the settings that {@code --help} lists.
   *
   * @throws IllegalArgumentException naming the setting, its value and what to write
   */
  static DriverSetup of(Map<String, String> settings) {
    SettingsReader in = new SettingsReader(settings);
    DriverSetup setup =
        new DriverSetup(
            spec(in), provider(in), volumes(in), nodes(in), rules(in), in.number("seed", 0));
    in.requireNothingLeft();
    return setup;
  }

  private static DriverSpec spec(SettingsReader in) {
    boolean controller = in.flag("controller", true);
    String nodeId = in.text("node-id", "");
    return new DriverSpec(
        in.required("plugin"),
        in.text("version", "1.0.0"),
        in.text("instance", nodeId.isEmpty() ? "controller" : nodeId),
        features(in, controller),
        roles(in, controller, !nodeId.isEmpty()),
        nodeId,
        in.number("max-volumes", 0),
        in.parsed("controller-latency", "none", Latency::parse),
        in.parsed("node-latency", "none", Latency::parse));
  }

  private static Set<DriverSpec.Role> roles(SettingsReader in, boolean controller, boolean node) {
    String usual = (controller ? "controller" : "") + (node ? ",node" : "");
    return in.list("roles", usual).stream()
        .map(
            role ->
                SettingsReader.explained(
                    "roles", role, text -> SettingsReader.oneOf(text, DriverSpec.Role.class)))
        .collect(Collectors.toSet());
  }

  private static PluginFeatures features(SettingsReader in, boolean controller) {
    boolean attach = in.flag("attach", controller);
    boolean list = in.flag("list-volumes", controller);
    return new PluginFeatures(
        controller,
        attach,
        in.flag("publish-readonly", attach),
        list,
        in.flag("list-published", attach && list),
        in.flag("stage", true),
        in.flag("single-node-multi-writer", false));
  }

  private static ProviderSpec provider(SettingsReader in) {
    Optional<Access> autoCreate =
        in.parsed(
            "provider.auto-create",
            "no",
            text ->
                text.equals("no")
                    ? Optional.empty()
                    : Optional.of(SettingsReader.oneOf(text, Access.class)));
    return new ProviderSpec(
        in.flag("provider.device-name-race", true),
        in.parsed(
            "provider.concurrency",
            "abort-per-volume",
            text -> SettingsReader.oneOf(text, ProviderSpec.Concurrency.class)),
        autoCreate);
  }

  private static List<Volume> volumes(SettingsReader in) {
    return Stream.concat(
            in.list("provider.single-node-volumes", "").stream()
                .map(id -> new Volume(id, Access.SINGLE_NODE)),
            in.list("provider.multi-node-volumes", "").stream()
                .map(id -> new Volume(id, Access.MULTI_NODE)))
        .toList();
  }

  private static List<ProviderNode> nodes(SettingsReader in) {
    return in.list("provider.nodes", "").stream()
        .map(text -> SettingsReader.explained("provider.nodes", text, DriverSetup::node))
        .toList();
  }

  private static ProviderNode node(String text) {
    int colon = text.lastIndexOf(':');
    return colon < 0
        ? new ProviderNode(text, 0)
        : new ProviderNode(
            text.substring(0, colon), SettingsReader.number(text.substring(colon + 1)));
  }

  private static List<Rule> rules(SettingsReader in) {
    return in.numbered("rule.").stream()
        .map(text -> SettingsReader.explained("rule", text, RuleText::parse))
        .toList();
  }

  /** Makes the volumes and nodes; those that exist stay. */
  void prepare(Provider target) {
    volumes.forEach(volume -> target.createVolume(volume.id(), volume.access()));
    nodes.forEach(node -> target.addNode(node.id(), node.slots()));
  }

  /** A new script with the rules. */
  Script script() {
    Script script = Script.seeded(seed);
    rules.forEach(script::add);
    return script;
  }
}
