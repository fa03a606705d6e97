package dev.berth.streams.codec;

import dev.berth.records.InstanceSighting;
import dev.berth.records.Node;
import dev.berth.records.PluginInstance;
import dev.berth.streams.cluster.ClusterClock;
import dev.berth.streams.cluster.InstanceReport;
import dev.berth.streams.cluster.NodeReport;
import dev.berth.streams.cluster.Sighting;
import dev.berth.streams.policy.NamedPolicy;

/** Codecs of what {@code Cluster} reads, and of the rows that only it keeps. */
public final class ReportCodecs {

  /** A node as its scheduler reports it. */
  public static final Codec<NodeReport, Node> NODE =
      new Codec<>(
          NodeReport.class,
          Node.class,
          report ->
              new Node(
                  report.node(),
                  report.scheduler(),
                  report.status(),
                  report.eligible(),
                  report.at()),
          node ->
              new NodeReport(
                  node.getNode(),
                  node.getScheduler(),
                  node.getStatus(),
                  node.getEligible(),
                  node.getAt()));

  /** A plugin instance as its worker reports it. */
  public static final Codec<InstanceReport, PluginInstance> INSTANCE =
      new Codec<>(
          InstanceReport.class,
          PluginInstance.class,
          ReportCodecs::encodeInstance,
          ReportCodecs::decodeInstance);

  /** A policy as it is published, and a row of {@code OwnTables.NAMED_POLICIES}. */
  public static final Codec<NamedPolicy, dev.berth.records.Policy> POLICY =
      new Codec<>(
          NamedPolicy.class,
          dev.berth.records.Policy.class,
          policy ->
              new dev.berth.records.Policy(
                  policy.name(), policy.settings(), policy.by(), policy.reason(), policy.at()),
          record ->
              new NamedPolicy(
                  record.getName(),
                  record.getSettings(),
                  record.getBy(),
                  record.getReason(),
                  record.getAt()));

  /** A row of {@code OwnTables.SIGHTINGS}. */
  public static final Codec<Sighting, InstanceSighting> SIGHTING =
      new Codec<>(
          Sighting.class,
          InstanceSighting.class,
          sighting -> new InstanceSighting(sighting.worker(), sighting.heardAt()),
          row -> new Sighting(row.getWorker(), row.getHeardAt()));

  /** The row of {@code OwnTables.CLOCK}. */
  public static final Codec<ClusterClock, dev.berth.records.ClusterClock> CLOCK =
      new Codec<>(
          ClusterClock.class,
          dev.berth.records.ClusterClock.class,
          clock -> new dev.berth.records.ClusterClock(clock.lastTick(), clock.listeningSince()),
          row -> new ClusterClock(row.getLastTick(), row.getListeningSince()));

  private ReportCodecs() {}

  private static PluginInstance encodeInstance(InstanceReport report) {
    return PluginInstance.newBuilder()
        .setPlugin(report.plugin())
        .setNode(report.node())
        .setRole(report.role())
        .setHealth(report.health())
        .setHealthText(report.healthText())
        .setVersion(report.version())
        .setRoute(report.route())
        .setEndpoint(report.endpoint())
        .setWorker(report.worker())
        .setAttach(report.attach())
        .setPublishReadOnly(report.publishReadOnly())
        .setListPublished(report.listPublished())
        .setStage(report.stage())
        .setExternalNode(report.externalNode())
        .setMaxVolumes(report.maxVolumes())
        .setTopology(report.topology())
        .setSeenAt(report.seenAt())
        .build();
  }

  private static InstanceReport decodeInstance(PluginInstance instance) {
    return new InstanceReport(
        instance.getPlugin(),
        instance.getNode(),
        instance.getRole(),
        instance.getHealth(),
        instance.getHealthText(),
        instance.getVersion(),
        instance.getRoute(),
        instance.getEndpoint(),
        instance.getWorker(),
        instance.getAttach(),
        instance.getPublishReadOnly(),
        instance.getListPublished(),
        instance.getStage(),
        instance.getExternalNode().orElse(null),
        instance.getMaxVolumes().orElse(null),
        instance.getTopology(),
        instance.getSeenAt());
  }
}
