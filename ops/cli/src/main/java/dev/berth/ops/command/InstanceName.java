package dev.berth.ops.command;

import dev.berth.producers.FieldRules;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a plugin instance as its topic does: {@code plugin/role@node}.
 *
 * @param plugin plugin id
 * @param role its role
 * @param node node it runs on
 */
record InstanceName(String plugin, PluginRole role, String node) {

  private static final Pattern FORM = Pattern.compile("([^/]+)/(controller|node)@(.+)");

  static InstanceName of(PluginInstance instance) {
    return new InstanceName(instance.getPlugin(), instance.getRole(), instance.getNode());
  }

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException saying how to write it
   */
  static InstanceName parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' names no instance: write PLUGIN/controller@NODE or PLUGIN/node@NODE"
              .formatted(text));
    }
    return new InstanceName(
        FieldRules.id("plugin", matcher.group(1)),
        PluginRole.valueOf(matcher.group(2).toUpperCase(Locale.ROOT)),
        FieldRules.id("node", matcher.group(3)));
  }

  @Override
  public String toString() {
    return plugin + "/" + role.name().toLowerCase(Locale.ROOT) + "@" + node;
  }
}
