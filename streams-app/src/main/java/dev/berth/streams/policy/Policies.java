package dev.berth.streams.policy;

import java.util.Map;

/**
 * The policies in force: settings by policy name ({@code default}, {@code plugin/<id>}, {@code
 * volume/<namespace>/<volume>}), then by key. The narrower policy wins, key by key.
 *
 * @param version rises with each change; history records name it
 * @param settings settings by policy name and key, already validated
 */
public record Policies(long version, Map<String, Map<String, String>> settings) {
  /** The product's defaults, in force until something else is published. */
  public static final Policies DEFAULTS = new Policies(0, Map.of());

  /** Keeps a copy. */
  public Policies {
    settings = Map.copyOf(settings);
  }

  /**
   * The policy for a volume of a plugin.
   *
   * @param plugin plugin id
   * @param volumeKey namespace/volume
   */
  public Policy of(String plugin, String volumeKey) {
    return PolicySettings.read(settings, plugin, volumeKey);
  }
}
