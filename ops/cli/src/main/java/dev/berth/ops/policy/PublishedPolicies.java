package dev.berth.ops.policy;

import dev.berth.streams.policy.NamedPolicy;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.policy.Policy;
import dev.berth.streams.policy.PolicyCheck;
import dev.berth.streams.policy.PolicyProblem;
import dev.berth.streams.policy.PolicyScope;
import dev.berth.streams.policy.PolicySettings;
import dev.berth.streams.policy.Setting;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The latest record of each name on the topic {@code policies}. One with a problem is on the topic
 * and not in force: Berth has rejected it, and what was in force before it stays. Policies that
 * stand in the configuration of the instances are not known here; a published one replaces that of
 * its name as a whole.
 */
public final class PublishedPolicies {

  /** Where a value is from that no policy sets. */
  public static final String BUILT_IN = "built in";

  private final Map<String, NamedPolicy> byName = new TreeMap<>();

  /** Of these, each of a name of its own. */
  public PublishedPolicies(Collection<NamedPolicy> policies) {
    policies.forEach(policy -> byName.put(policy.name(), policy));
  }

  /** A value that holds, and the name of the policy that it is from, or {@link #BUILT_IN}. */
  public record InForce(String key, String value, String from) {}

  /** All, by name. */
  public List<NamedPolicy> all() {
    return List.copyOf(byName.values());
  }

  /** The one of that name. */
  public Optional<NamedPolicy> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** What the one of that name sets; nothing where there is none. */
  public Map<String, String> settings(String name) {
    return find(name).map(NamedPolicy::settings).orElse(Map.of());
  }

  /** The same with another one in place of that of its name. */
  public PublishedPolicies with(NamedPolicy policy) {
    PublishedPolicies changed = without(policy.name());
    changed.byName.put(policy.name(), policy);
    return changed;
  }

  /** The same without the one of that name. */
  public PublishedPolicies without(String name) {
    PublishedPolicies changed = new PublishedPolicies(byName.values());
    changed.byName.remove(name);
    return changed;
  }

  /** What keeps the one of that name from being in force, a line each. */
  public List<String> problems(String name) {
    return find(name).map(PolicyCheck::problems).orElse(List.of()).stream()
        .map(PolicyProblem::text)
        .toList();
  }

  /**
   * Each key with the value that holds where a policy of that name would, the narrower winning.
   *
   * @param plugin plugin of the volume that the name is about; empty when it is about none, or its
   *     plugin is not known
   */
  public List<InForce> inForce(String name, Optional<String> plugin) {
    return PolicySettings.all().stream().map(setting -> inForce(setting, name, plugin)).toList();
  }

  private InForce inForce(Setting<?> setting, String name, Optional<String> plugin) {
    for (String layer : layers(name, plugin)) {
      String value = valid().getOrDefault(layer, Map.of()).get(setting.key());
      if (value != null) {
        return new InForce(setting.key(), value, layer);
      }
    }
    return new InForce(setting.key(), setting.byDefault(), BUILT_IN);
  }

  /**
   * The policy that holds where one of that name would.
   *
   * @param plugin as in {@link #inForce}
   */
  public Policy resolved(String name, Optional<String> plugin) {
    Policies policies = new Policies(0, valid());
    Optional<String> volume = PolicyScope.volumeKey(name);
    if (volume.isPresent()) {
      // Without a plugin none of a plugin is found: no id is empty.
      return policies.of(plugin.orElse(""), volume.get());
    }
    return PolicyScope.plugin(name).map(policies::ofPlugin).orElse(policies.byDefault());
  }

  private static List<String> layers(String name, Optional<String> plugin) {
    return Stream.concat(
            Stream.concat(Stream.of(name), plugin.map(PolicyScope::ofPlugin).stream()),
            Stream.of(PolicyScope.DEFAULT_NAME))
        .distinct()
        .toList();
  }

  private Map<String, Map<String, String>> valid() {
    return byName.values().stream()
        .filter(policy -> PolicyCheck.problems(policy).isEmpty())
        .collect(Collectors.toMap(NamedPolicy::name, NamedPolicy::settings));
  }
}
