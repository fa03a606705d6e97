package dev.berth.embedded.broker;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import kafka.server.SharedServer;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.fault.LoggingFaultHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka's broker and controller in this process, put together as {@link KafkaRaftServer} does it,
 * with two differences: the sockets are ours, and a fault of the broker is logged instead of ending
 * the process, which is not the broker's alone.
 */
final class KafkaNode {

  private static final Logger log = LoggerFactory.getLogger(KafkaNode.class);

  private final ControllerServer controller;
  private final BrokerServer broker;

  /**
   * Prepares a node on formatted storage; it does not run yet.
   *
   * @param controllerPort the port of the controller's listener among the sockets
   */
  KafkaNode(Map<String, String> settings, BoundSockets sockets, int controllerPort) {
    KafkaConfig config = new KafkaConfig(settings, false);
    var storage = KafkaRaftServer.initializeLogDirs(config, log, "");
    Metrics metrics =
        Server.initializeMetrics(config, Time.SYSTEM, storage._1().clusterId().orElseThrow());
    SharedServer shared =
        new SharedServer(
            config,
            storage._1(),
            Time.SYSTEM,
            metrics,
            CompletableFuture.completedFuture(
                Map.of(
                    BrokerSettings.NODE_ID,
                    new InetSocketAddress(BoundSockets.HOST, controllerPort))),
            List.of(),
            (name, fatal, action) -> new LoggingFaultHandler(name, action),
            sockets);
    this.broker = new BrokerServer(shared);
    this.controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), storage._2());
  }

  /** Returns when clients are served. */
  void start() {
    FormerBroker former = new FormerBroker();
    controller.metadataPublishers().add(former);
    controller.startup();
    former.awaitFenced();
    broker.startup();
  }

  /** Stops what runs, the broker first; does nothing when nothing runs. */
  void stop() {
    try {
      broker.shutdown();
      broker.awaitShutdown();
    } finally {
      controller.shutdown();
      controller.awaitShutdown();
    }
  }
}
