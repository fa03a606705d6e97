package dev.berth.workers.kafka;

import dev.berth.schemas.topics.Topics;
import dev.berth.workers.config.WorkerConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the Kafka clients of a worker. */
public final class KafkaClients {

  private static final Logger log = LoggerFactory.getLogger(KafkaClients.class);

  /** How soon the partitions of a killed worker move on, with the classic group protocol. */
  public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

  /**
   * Longest time that an accept transaction left open hides the acceptances behind it from Streams.
   */
  public static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(10);

  private final WorkerConfig config;
  private final MeterRegistry meters;

  /**
   * Prepares to make clients of this worker.
   *
   * @param meters where the meters of those are shown that stay
   */
  public KafkaClients(WorkerConfig config, MeterRegistry meters) {
    this.config = config;
    this.meters = meters;
  }

  /** Returns the id of the worker, which begins the client ids. */
  public String worker() {
    return config.workerId();
  }

  /** Returns the topics of the deployment. */
  public Topics topics() {
    return config.topics();
  }

  /**
   * A member of the group of a route: {@code <prefix>.<route>}, so that two deployments may share a
   * cluster. It sees decided transactions only and begins where the group's offsets say, or not at
   * all.
   */
  public Consumer<String, byte[]> groupMember(String route) {
    Map<String, Object> settings = common(acceptor(route));
    settings.put("group.id", groupOf(route));
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", false);
    settings.put("auto.offset.reset", "none");
    if (!"consumer".equalsIgnoreCase(config.kafka().get("group.protocol"))) {
      // The new protocol refuses both: its session is a setting of the broker.
      settings.putIfAbsent("session.timeout.ms", (int) SESSION_TIMEOUT.toMillis());
      settings.putIfAbsent("heartbeat.interval.ms", 2_000);
      settings.putIfAbsent(
          "partition.assignment.strategy", CooperativeStickyAssignor.class.getName());
    }
    return new MeteredConsumer(settings, meters);
  }

  /** A consumer without group, for reading topics to their end. */
  public Consumer<String, byte[]> reader() {
    Map<String, Object> settings = common("read");
    settings.keySet().removeIf(key -> key.startsWith("group."));
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", false);
    settings.put("auto.offset.reset", "earliest");
    return new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
  }

  /** A producer of accept transactions. */
  public Producer<String, byte[]> transactional(String transactionalId) {
    Map<String, Object> settings = common("accept");
    settings.put("transactional.id", transactionalId);
    settings.putIfAbsent("transaction.timeout.ms", (int) TRANSACTION_TIMEOUT.toMillis());
    settings.putIfAbsent("max.block.ms", 10_000);
    settings.putIfAbsent("delivery.timeout.ms", 10_000);
    settings.putIfAbsent("request.timeout.ms", 5_000);
    // The default of 100 ms is what back-to-back transactions would wait for each other.
    settings.putIfAbsent("retry.backoff.ms", 10);
    settings.put("linger.ms", 0);
    return producer(settings);
  }

  /** A producer of what must be written however long it takes: outcomes and plugin instances. */
  public Producer<String, byte[]> persistent() {
    Map<String, Object> settings = common("report");
    settings.put("enable.idempotence", true);
    settings.put("retries", Integer.MAX_VALUE);
    settings.put("delivery.timeout.ms", Integer.MAX_VALUE);
    settings.put("linger.ms", 0);
    return producer(settings);
  }

  /**
   * Returns the ends of partitions, transactions that are not decided yet included.
   *
   * @throws KafkaException when the cluster does not say
   */
  public Map<TopicPartition, Long> highWatermarks(Set<TopicPartition> partitions) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(partition -> asked.put(partition, OffsetSpec.latest()));
    try (Admin admin = Admin.create(common("ends"))) {
      Map<TopicPartition, Long> ends = new HashMap<>();
      Map<TopicPartition, ListOffsetsResult.ListOffsetsResultInfo> answer =
          admin.listOffsets(asked).all().get(30, TimeUnit.SECONDS);
      answer.forEach((partition, info) -> ends.put(partition, info.offset()));
      return ends;
    } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new KafkaException("cannot learn the ends of " + partitions, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted while asking for the ends of " + partitions, e);
    }
  }

  /**
   * Returns whether other workers are in the group of a route; true when the cluster does not say.
   */
  public boolean isServedByOthers(String route) {
    String group = groupOf(route);
    String ours = clientId(acceptor(route));
    try (Admin admin = Admin.create(common("group"))) {
      return admin
          .describeConsumerGroups(Set.of(group))
          .all()
          .get(5, TimeUnit.SECONDS)
          .values()
          .stream()
          .flatMap(description -> description.members().stream())
          .anyMatch(member -> !member.clientId().equals(ours));
    } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
      log.info("group cannot be described group={} error={}", group, e.toString());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private String groupOf(String route) {
    return config.topics().prefix() + "." + route;
  }

  private static String acceptor(String route) {
    return "accept-" + route;
  }

  private String clientId(String purpose) {
    return config.workerId() + "-" + purpose;
  }

  private Producer<String, byte[]> producer(Map<String, Object> settings) {
    settings.put("acks", "all");
    return new MeteredProducer(settings, meters);
  }

  private Map<String, Object> common(String purpose) {
    Map<String, Object> settings = new HashMap<>(config.kafka());
    settings.put("bootstrap.servers", config.bootstrapServers());
    settings.put("client.id", clientId(purpose));
    return settings;
  }
}
