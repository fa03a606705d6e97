package dev.berth.streams.app;

import dev.berth.schemas.topics.Topic;
import dev.berth.streams.topology.RecordTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The settings of Kafka Streams and its clients, each with the reason (architecture.md, "Kafka
 * settings that matter").
 */
public final class KafkaSettings {
  /** Longest time that an open transaction of a killed instance hides what follows it. */
  public static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(10);

  /** How soon the partitions of a killed instance move on. */
  public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(10);

  private static final String HEARTBEAT_INTERVAL_MS = "3000";

  /** Prefixes under which a client setting may come. */
  private static final List<String> CLIENT_PREFIXES =
      List.of("main.consumer.", "restore.consumer.", "global.consumer.", "consumer.", "producer.");

  private static final Map<String, String> HAS_A_KEY_OF_ITS_OWN =
      Map.of(
          StreamsConfig.APPLICATION_ID_CONFIG, "application.id",
          StreamsConfig.APPLICATION_SERVER_CONFIG, "api.advertised",
          StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "bootstrap.servers",
          StreamsConfig.GROUP_PROTOCOL_CONFIG, "group.protocol",
          StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, "standby.replicas",
          StreamsConfig.NUM_STREAM_THREADS_CONFIG, "threads",
          StreamsConfig.REPLICATION_FACTOR_CONFIG, "replication.factor",
          StreamsConfig.STATE_DIR_CONFIG, "state.dir");

  private static final Set<String> GUARANTEES =
      Set.of(
          StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
          StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG,
          StreamsConfig.DEFAULT_INTERACTIVE_QUERY_ISOLATION_LEVEL_CONFIG,
          StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG,
          StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG,
          StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG,
          StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
          StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG,
          StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG,
          ConsumerConfig.ISOLATION_LEVEL_CONFIG,
          ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
          ConsumerConfig.GROUP_ID_CONFIG,
          ProducerConfig.ACKS_CONFIG,
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
          ProducerConfig.TRANSACTIONAL_ID_CONFIG);

  /** Kafka's default of {@code max.poll.interval.ms}. */
  private static final Duration LONGEST_POLL = Duration.ofMinutes(5);

  private KafkaSettings() {}

  /** Settings of Kafka Streams. What the configuration hands on wins where it may. */
  public static Properties streams(AppConfig config) {
    Map<String, Object> settings = new HashMap<>();
    own(config, settings);
    exactlyOnce(settings);
    quick(settings);
    large(settings);
    failures(config, settings);
    if (config.groupProtocol() == AppConfig.GroupProtocol.CLASSIC) {
      // With the others the broker sets it, and the client refuses it.
      settings.put(
          StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG),
          Long.toString(SESSION_TIMEOUT.toMillis()));
      settings.put(
          StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG),
          HEARTBEAT_INTERVAL_MS);
    }
    settings.putAll(config.kafka());
    Properties properties = new Properties();
    properties.putAll(settings);
    return properties;
  }

  /** How long a stream thread may take between two polls before Kafka takes it for dead. */
  static Duration longestPoll(AppConfig config) {
    return Stream.of(StreamsConfig.MAIN_CONSUMER_PREFIX, StreamsConfig.CONSUMER_PREFIX, "")
        .map(prefix -> config.kafka().get(prefix + ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG))
        .filter(Objects::nonNull)
        .findFirst()
        .map(millis -> Duration.ofMillis(Long.parseLong(millis)))
        .orElse(LONGEST_POLL);
  }

  /** Settings of an admin client. */
  public static Map<String, Object> admin(AppConfig config) {
    Map<String, Object> settings = client(config, StreamsConfig.ADMIN_CLIENT_PREFIX, "checks");
    // Whoever waits for brokers that are away wants to hear of it sooner than each minute.
    settings.putIfAbsent("default.api.timeout.ms", "10000");
    settings.putIfAbsent("request.timeout.ms", "5000");
    return settings;
  }

  /** Settings of a consumer that is told its partitions and sees committed records only. */
  static Map<String, Object> consumer(AppConfig config) {
    Map<String, Object> settings = client(config, StreamsConfig.CONSUMER_PREFIX, "api");
    settings.putIfAbsent("default.api.timeout.ms", "10000");
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return settings;
  }

  /** Settings of a producer that neither loses nor doubles, for single records. */
  static Map<String, Object> producer(AppConfig config) {
    Map<String, Object> settings = client(config, StreamsConfig.PRODUCER_PREFIX, "api");
    settings.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, "10000");
    settings.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
    settings.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "20000");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, "0");
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    // Keys must go where Berth's own partitioner puts them.
    settings.remove(ProducerConfig.PARTITIONER_CLASS_CONFIG);
    return settings;
  }

  /** What is handed on to a client of one kind, and how it reaches the brokers. */
  private static Map<String, Object> client(AppConfig config, String prefix, String purpose) {
    Map<String, Object> settings = new HashMap<>();
    config
        .kafka()
        .forEach(
            (key, value) -> {
              if (key.startsWith(prefix)) {
                settings.put(key.substring(prefix.length()), value);
              } else if (CLIENT_PREFIXES.stream().noneMatch(key::startsWith)
                  && !key.startsWith(StreamsConfig.ADMIN_CLIENT_PREFIX)) {
                settings.putIfAbsent(key, value);
              }
            });
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.putIfAbsent(StreamsConfig.CLIENT_ID_CONFIG, config.applicationId() + "-" + purpose);
    return settings;
  }

  /** Why a key of Kafka cannot be handed on; empty when it can. */
  static Optional<String> whyFixed(String key) {
    String own = HAS_A_KEY_OF_ITS_OWN.get(key);
    if (own != null) {
      return Optional.of("it is the setting " + own);
    }
    String plain =
        CLIENT_PREFIXES.stream()
            .filter(key::startsWith)
            .findFirst()
            .map(prefix -> key.substring(prefix.length()))
            .orElse(key);
    return GUARANTEES.contains(plain)
        ? Optional.of("guarantees of Berth rest on it")
        : Optional.empty();
  }

  private static void own(AppConfig config, Map<String, Object> settings) {
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, config.applicationId());
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDirectory().toString());
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.threads());
    settings.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.standbyReplicas());
    settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, config.replicationFactor());
    settings.put(
        StreamsConfig.GROUP_PROTOCOL_CONFIG,
        config.groupProtocol() == AppConfig.GroupProtocol.CLASSIC ? "classic" : "streams");
    settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedStoreMemory.class);
  }

  private static void exactlyOnce(Map<String, Object> settings) {
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    // Otherwise a crash wipes the stores, and they are read anew from their changelogs.
    settings.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, true);
    // Nobody is to be shown what is rolled back a moment later.
    settings.put(StreamsConfig.DEFAULT_INTERACTIVE_QUERY_ISOLATION_LEVEL_CONFIG, "READ_COMMITTED");
    // A generated name changes with the topology, and with it the state behind it is lost.
    settings.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
    settings.put(
        StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
        Long.toString(TRANSACTION_TIMEOUT.toMillis()));
  }

  private static void quick(Map<String, Object> settings) {
    // Counted from the end of the last commit. A processor that asked for commits itself was faster
    // by some 30 ms when idle, and took half of what the thread could do under load.
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 20);
    settings.put(StreamsConfig.POLL_MS_CONFIG, 10);
    // Nobody reads a record before its transaction ends, and that flushes: lingering costs no time,
    // and a transaction then takes one request rather than one for every few records.
    settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), "100");
    settings.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), "10");
  }

  private static void large(Map<String, Object> settings) {
    // The producer's own limit of 1 MiB would refuse what the topics are made to take.
    settings.put(
        StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
        Integer.toString(Topic.LARGEST_RECORD));
    // Rows are as large as the records made of them.
    settings.put(
        StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
        Integer.toString(Topic.LARGEST_RECORD));
  }

  private static void failures(AppConfig config, Map<String, Object> settings) {
    // A failing handler would abort the very transaction that holds the dead letter, so a record
    // that is put aside never fails, and one that fails is not put aside.
    settings.put(
        StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG,
        config.topics().name(Topic.REJECTED_RECORDS));
    settings.put(
        StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, RejectUnreadable.class);
    settings.put(
        StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, RejectUnprocessable.class);
    settings.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, RejectUnwritable.class);
    settings.put(StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG, RecordTime.class);
  }
}
