package dev.berth.streams.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How much a policy is about, from wide to narrow. Its name says so. */
public enum PolicyScope {
  /** Everything: {@code default}. */
  DEFAULT("default"),
  /** One plugin and its volumes: {@code plugin/<id>}. */
  PLUGIN("plugin/<id>"),
  /** One volume: {@code volume/<namespace>/<volume>}. */
  VOLUME("volume/<namespace>/<volume>");

  /** Name of the policy that is about everything. */
  public static final String DEFAULT_NAME = "default";

  private static final String PLUGIN_PREFIX = "plugin/";
  private static final String VOLUME_PREFIX = "volume/";

  private final String pattern;

  PolicyScope(String pattern) {
    this.pattern = pattern;
  }

  /** The form of the names, for messages and documentation. */
  public String pattern() {
    return pattern;
  }

  /** Name of the policy of a plugin. */
  public static String ofPlugin(String plugin) {
    return PLUGIN_PREFIX + plugin;
  }

  /**
   * Name of the policy of a volume.
   *
   * @param volumeKey namespace/volume
   */
  public static String ofVolume(String volumeKey) {
    return VOLUME_PREFIX + volumeKey;
  }

  /** The scope of a policy by its name; empty when no policy can have that name. */
  public static Optional<PolicyScope> of(String name) {
    if (name.equals(DEFAULT_NAME)) {
      return Optional.of(DEFAULT);
    } else if (plugin(name).isPresent()) {
      return Optional.of(PLUGIN);
    }
    return volumeKey(name).map(key -> VOLUME);
  }

  /** The plugin that a policy is about by its name; empty when it is about none. */
  public static Optional<String> plugin(String name) {
    return rest(name, PLUGIN_PREFIX, 1);
  }

  /** The namespace/volume that a policy is about by its name; empty when it is about none. */
  public static Optional<String> volumeKey(String name) {
    return rest(name, VOLUME_PREFIX, 2);
  }

  /** What follows a prefix, if it is that many ids joined by slashes, none of them blank. */
  private static Optional<String> rest(String name, String prefix, int ids) {
    if (!name.startsWith(prefix)) {
      return Optional.empty();
    }
    String rest = name.substring(prefix.length());
    List<String> parts = Arrays.asList(rest.split("/", -1));
    boolean named = parts.size() == ids && parts.stream().noneMatch(String::isBlank);
    return named ? Optional.of(rest) : Optional.empty();
  }
}
