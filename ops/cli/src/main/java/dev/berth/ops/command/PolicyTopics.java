package dev.berth.ops.command;

import dev.berth.ops.policy.PublishedPolicies;
import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.Connection;
import dev.berth.records.Policy;
import dev.berth.records.Volume;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.codec.ReportCodecs;
import dev.berth.streams.policy.PolicyScope;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads the topics for the commands on policies. */
final class PolicyTopics {
  private PolicyTopics() {}

  /** The policies, and what is known of a name. */
  record Read(PublishedPolicies policies, Optional<String> plugin) {}

  /**
   * Reads all policies, and for a volume's its plugin.
   *
   * @param name of a policy
   */
  static Read read(Connection connection, String name) {
    try (TopicContent content = new TopicContent(connection)) {
      return new Read(policies(content), plugin(content, name));
    }
  }

  /** Reads all policies. */
  static PublishedPolicies read(Connection connection) {
    try (TopicContent content = new TopicContent(connection)) {
      return policies(content);
    }
  }

  private static PublishedPolicies policies(TopicContent content) {
    return new PublishedPolicies(
        content.table(Topic.POLICIES, Policy.class).values().stream()
            .map(ReportCodecs.POLICY.decode())
            .toList());
  }

  /** The plugin of the volume that a policy is about; empty when it is about none, or none is. */
  private static Optional<String> plugin(TopicContent content, String name) {
    Map<String, String> plugins = new HashMap<>();
    PolicyScope.volumeKey(name)
        .ifPresent(
            volume ->
                content.ofVolume(
                    Topic.VOLUMES,
                    Volume.class,
                    volume,
                    volume::equals,
                    (key, at, value) ->
                        value.ifPresentOrElse(
                            row -> plugins.put(key, row.getSpec().getPlugin()),
                            () -> plugins.remove(key))));
    return plugins.values().stream().findFirst();
  }
}
