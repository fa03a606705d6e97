package dev.berth.ops.scenario;

import dev.berth.records.Policy;
import dev.berth.streams.policy.PolicyScope;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The policies that were written so far, as their records say. */
final class PolicyRecords {
  private final Map<String, Map<String, String>> settings = new HashMap<>();

  void add(Seen record) {
    if (record.value() instanceof Policy policy) {
      settings.put(policy.getName(), policy.getSettings());
    }
  }

  /**
   * What was set for a volume of a plugin; empty when nothing was.
   *
   * @param volume namespace/volume
   */
  Optional<String> setting(String key, String plugin, String volume) {
    return Stream.of(
            PolicyScope.ofVolume(volume), PolicyScope.ofPlugin(plugin), PolicyScope.DEFAULT_NAME)
        .flatMap(name -> Stream.ofNullable(settings.getOrDefault(name, Map.of()).get(key)))
        .findFirst();
  }
}
