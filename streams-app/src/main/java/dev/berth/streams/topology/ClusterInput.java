package dev.berth.streams.topology;

import dev.berth.records.Command;
import dev.berth.records.Node;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.Policy;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.cluster.ClusterEvent;
import dev.berth.streams.cluster.InstanceReport;
import dev.berth.streams.cluster.NodeReport;
import dev.berth.streams.codec.CommandCodecs;
import dev.berth.streams.codec.ReportCodecs;
import dev.berth.streams.policy.NamedPolicy;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.specific.SpecificRecord;

/** Turns the records that {@code Cluster} reads into events. */
final class ClusterInput {
  private static final Pattern INSTANCE_KEY =
      Pattern.compile("(?<plugin>[^/]+)/(?<role>controller|node)@(?<node>.+)", Pattern.DOTALL);

  private ClusterInput() {}

  /**
   * The event that a record's value is.
   *
   * @throws IllegalArgumentException when it is none, or its key is not the one of its content:
   *     then compaction would keep it beside others of the same thing
   */
  static ClusterEvent event(String key, SpecificRecord read) {
    if (read instanceof Node node) {
      NodeReport report = ReportCodecs.NODE.decode().apply(node);
      requireKey(key, report.node());
      return new ClusterEvent.NodeReported(report);
    } else if (read instanceof PluginInstance instance) {
      InstanceReport report = ReportCodecs.INSTANCE.decode().apply(instance);
      requireKey(key, report.key());
      return new ClusterEvent.InstanceReported(report);
    } else if (read instanceof Policy policy) {
      NamedPolicy named = ReportCodecs.POLICY.decode().apply(policy);
      requireKey(key, named.name());
      return new ClusterEvent.PolicyReported(named);
    } else if (read instanceof Command command) {
      return new ClusterEvent.CommandArrived(CommandCodecs.COMMAND.decode().apply(command));
    }
    throw new IllegalArgumentException(read.getSchema().getName() + " says nothing of a cluster");
  }

  /**
   * The event that a tombstone is.
   *
   * @throws IllegalArgumentException when the topic has none, or the key names nothing
   */
  static ClusterEvent deletion(Topic source, String key) {
    return switch (source) {
      case NODES -> new ClusterEvent.NodeDeleted(key);
      case PLUGINS -> instanceDeleted(key);
      case POLICIES -> new ClusterEvent.PolicyDeleted(key);
      default ->
          throw new IllegalArgumentException(
              "the value is null: " + source.suffix() + " has no tombstones");
    };
  }

  private static ClusterEvent instanceDeleted(String key) {
    Matcher parts = INSTANCE_KEY.matcher(key);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "the key '"
              + key
              + "' names no instance: write plugin/controller@node or plugin/node@node");
    }
    PluginRole role = parts.group("role").equals("node") ? PluginRole.NODE : PluginRole.CONTROLLER;
    return new ClusterEvent.InstanceDeleted(parts.group("plugin"), parts.group("node"), role);
  }

  private static void requireKey(String key, String expected) {
    if (!key.equals(expected)) {
      throw new IllegalArgumentException(
          "the key is '%s' but the record is about '%s': key it by that".formatted(key, expected));
    }
  }
}
