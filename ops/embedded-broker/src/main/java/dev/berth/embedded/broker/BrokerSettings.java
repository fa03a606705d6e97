package dev.berth.embedded.broker;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The settings of the embedded broker.
 *
 * <p>The ones under {@link #recommended()} are what Berth wants of every broker it runs on; the
 * rest makes a single node small and quick.
 */
final class BrokerSettings {

  static final String BROKER_LISTENER = "PLAINTEXT";
  static final String CONTROLLER_LISTENER = "CONTROLLER";
  static final int NODE_ID = 1;

  private BrokerSettings() {}

  /** Settings that Berth's transactions and groups profit from on any broker. */
  static Map<String, String> recommended() {
    Map<String, String> settings = new LinkedHashMap<>();
    // A producer that begins its next transaction while the last one completes is put off by this
    // long; the default of 20 ms would be added to nearly every transaction.
    settings.put("add.partitions.to.txn.retry.backoff.ms", "2");
    // How soon the open transaction of a killed client stops hiding what follows it.
    settings.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("group.streams.initial.rebalance.delay.ms", "0");
    // The new group protocols take session timeouts from the broker, and allow none under 45 s by
    // default: the partitions of a dead worker would wait that long.
    for (String protocol : new String[] {"consumer", "streams"}) {
      settings.put("group." + protocol + ".min.session.timeout.ms", "1000");
      settings.put("group." + protocol + ".session.timeout.ms", "6000");
      settings.put("group." + protocol + ".min.heartbeat.interval.ms", "100");
      settings.put("group." + protocol + ".heartbeat.interval.ms", "1000");
    }
    settings.put("group.min.session.timeout.ms", "1000");
    settings.put("auto.create.topics.enable", "false");
    return settings;
  }

  /**
   * All settings of one broker.
   *
   * @param logDirectory where the broker keeps its logs
   * @param broker address of the clients' listener
   * @param controller address of the controller's listener
   * @param overrides settings that win over those of this class
   */
  static Map<String, String> of(
      String logDirectory, String broker, String controller, Map<String, String> overrides) {
    Map<String, String> settings = new LinkedHashMap<>(recommended());
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", Integer.toString(NODE_ID));
    settings.put("controller.quorum.voters", NODE_ID + "@" + controller);
    settings.put("controller.listener.names", CONTROLLER_LISTENER);
    settings.put(
        "listeners",
        BROKER_LISTENER + "://" + broker + "," + CONTROLLER_LISTENER + "://" + controller);
    settings.put("advertised.listeners", BROKER_LISTENER + "://" + broker);
    settings.put(
        "listener.security.protocol.map",
        BROKER_LISTENER + ":PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT");
    settings.put("inter.broker.listener.name", BROKER_LISTENER);
    settings.put("log.dirs", logDirectory);
    singleNode(settings);
    small(settings);
    settings.putAll(overrides);
    return settings;
  }

  private static void singleNode(Map<String, String> settings) {
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    // After a crash the controller waits this long for the broker's former self before it takes
    // the new one; the default of 9 s would be most of the start.
    settings.put("broker.session.timeout.ms", "3000");
    settings.put("broker.heartbeat.interval.ms", "500");
    // Nobody else votes: the election after a start need not wait for others.
    settings.put("controller.quorum.election.timeout.ms", "200");
    settings.put("controller.quorum.election.backoff.max.ms", "100");
    // Keeps followers informed; without any it would only grow the metadata log.
    settings.put("metadata.max.idle.interval.ms", "0");
  }

  private static void small(Map<String, String> settings) {
    settings.put("offsets.topic.num.partitions", "5");
    settings.put("transaction.state.log.num.partitions", "5");
    settings.put("share.coordinator.state.topic.num.partitions", "1");
    settings.put("num.network.threads", "1");
    settings.put("num.io.threads", "2");
    settings.put("background.threads", "2");
    settings.put("group.coordinator.threads", "1");
    settings.put("group.coordinator.background.threads", "1");
    settings.put("log.cleaner.dedupe.buffer.size", "2097152");
    // Segments that a development stack fills, so that compaction and retention do happen, and
    // index files (made at this size) that do not waste a disk with a hundred partitions.
    settings.put("log.segment.bytes", "16777216");
    settings.put("offsets.topic.segment.bytes", "16777216");
    settings.put("transaction.state.log.segment.bytes", "16777216");
    settings.put("log.index.size.max.bytes", "262144");
  }
}
