package dev.berth.streams.policy;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The policies in force: settings by policy name ({@code default}, {@code plugin/<id>}, {@code
 * volume/<namespace>/<volume>}), then by key. The narrower policy wins, key by key.
 *
 * <p>Resolved policies are kept and shared: most volumes have no policy of their own and use their
 * plugin's, or the default. Safe for use by many threads.
 */
public final class Policies {
  /** The product's defaults, in force until something else is published. */
  public static final Policies DEFAULTS = new Policies(0, Map.of());

  private final long version;
  private final Map<String, Map<String, String>> settings;
  private final Policy byDefault;
  private final Map<String, Policy> byPlugin = new HashMap<>();
  private final Map<String, Map<String, String>> volumeSettings = new HashMap<>();
  private final Map<Pair, Policy> byVolume = new ConcurrentHashMap<>();

  /**
   * Takes settings that have passed {@link PolicyCheck}.
   *
   * @param version rises with each change; history records name it
   * @param settings settings by policy name and key
   */
  public Policies(long version, Map<String, Map<String, String>> settings) {
    this.version = version;
    this.settings =
        settings.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, entry -> Map.copyOf(entry.getValue())));
    this.byDefault = resolve(PolicyScope.DEFAULT_NAME);
    this.settings.forEach(
        (name, own) -> {
          PolicyScope.plugin(name)
              .ifPresent(plugin -> byPlugin.put(plugin, resolve(name, PolicyScope.DEFAULT_NAME)));
          PolicyScope.volumeKey(name).ifPresent(key -> volumeSettings.put(key, own));
        });
  }

  /** Rises with each change; history records name it. */
  public long version() {
    return version;
  }

  /** Settings by policy name and key, as they were given. */
  public Map<String, Map<String, String>> settings() {
    return settings;
  }

  /** The policy for what is about no plugin. */
  public Policy byDefault() {
    return byDefault;
  }

  /** The policy for a plugin as a whole. */
  public Policy ofPlugin(String plugin) {
    return byPlugin.getOrDefault(plugin, byDefault);
  }

  /**
   * The policy for a volume of a plugin.
   *
   * @param plugin plugin id
   * @param volumeKey namespace/volume
   */
  public Policy of(String plugin, String volumeKey) {
    if (!volumeSettings.containsKey(volumeKey)) {
      return ofPlugin(plugin);
    }
    return byVolume.computeIfAbsent(
        new Pair(plugin, volumeKey),
        pair ->
            resolve(
                PolicyScope.ofVolume(volumeKey),
                PolicyScope.ofPlugin(plugin),
                PolicyScope.DEFAULT_NAME));
  }

  /** Resolves the policies of these names, the narrowest first. */
  private Policy resolve(String... names) {
    return PolicySettings.resolve(
        Arrays.stream(names).map(name -> settings.getOrDefault(name, Map.of())).toList());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Policies that
        && version == that.version
        && settings.equals(that.settings);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(version) * 31 + settings.hashCode();
  }

  @Override
  public String toString() {
    return "Policies[version=%d, settings=%s]".formatted(version, settings);
  }

  private record Pair(String plugin, String volumeKey) {}
}
