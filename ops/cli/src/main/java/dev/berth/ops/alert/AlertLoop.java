package dev.berth.ops.alert;

import dev.berth.ops.status.CommandStatus;
import dev.berth.producers.Connection;
import dev.berth.records.StuckClaim;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.serde.UnreadableRecordException;
import dev.berth.schemas.topics.Topic;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Reads {@code stuck-claims} and takes each record to a webhook, in order, at least once: the
 * offset of a record is committed when the webhook has taken it. One that is not taken is tried
 * again, with a pause that grows to a minute, and nothing overtakes it. Several that share a group
 * share the partitions.
 *
 * <p>It is written as anybody would write it: a plain consumer, the registry, and the record's
 * schema. {@link #run} uses the thread that calls it; {@link #close} may be called from any.
 */
public final class AlertLoop implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final Registry registry;
  private final String topic;
  private final KafkaConsumer<String, byte[]> consumer;
  private final Deserializer<StuckClaim> reader;
  private final Webhook webhook;
  private final InstantSource clock;
  private final Consumer<String> told;
  private final CommandStatus status;
  private final Counter taken;
  private final Counter refused;
  private final Counter leftOut;

  /** Polled and not taken yet, in order. */
  private final Deque<ConsumerRecord<String, byte[]>> pending = new ArrayDeque<>();

  private Instant triedAgainAt = Instant.MIN;
  private Duration pause = FIRST_PAUSE;
  private volatile boolean closing;

  /**
   * Prepares; nothing is asked of the cluster yet.
   *
   * @param connection where the topics are
   * @param group consumer group; one without offsets begins with what is stuck already
   * @param webhook where messages go
   * @param clock clock of the process
   * @param told what happens, for people, a line each; without secrets
   * @param status told how it goes
   */
  public AlertLoop(
      Connection connection,
      String group,
      Webhook webhook,
      InstantSource clock,
      Consumer<String> told,
      CommandStatus status) {
    this.registry = Registry.connect(connection.registry());
    this.topic = connection.topics().name(Topic.STUCK_CLAIMS);
    this.reader = AvroSerde.of(registry, StuckClaim.class).deserializer();
    this.webhook = webhook;
    this.clock = clock;
    this.told = told;
    this.status = status;
    this.taken = counter(status, "taken", "Messages that the webhook took.");
    this.refused = counter(status, "refused", "Tries that the webhook did not take.");
    this.leftOut = counter(status, "left.out", "Dead letters that could not be read.");
    Map<String, Object> settings = new HashMap<>(connection.kafka());
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("group.id", group);
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", false);
    settings.put("auto.offset.reset", "earliest");
    settings.put("max.poll.records", 50);
    this.consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
    status.watch(consumer);
  }

  private static Counter counter(CommandStatus status, String name, String what) {
    return Counter.builder("berth.alerts." + name).description(what).register(status.registry());
  }

  /** Takes messages until it is closed, or the thread interrupted. */
  public void run() throws InterruptedException {
    try (consumer;
        registry) {
      consumer.subscribe(List.of(topic), new ForgetPending());
      while (!closing) {
        turn();
      }
    } catch (WakeupException | org.apache.kafka.common.errors.InterruptException e) {
      if (!closing) {
        throw new InterruptedException("interrupted while polling");
      }
    }
  }

  @Override
  public void close() {
    closing = true;
    consumer.wakeup();
  }

  /** Polls in every turn, also while it waits: a member that does not is taken for dead. */
  private void turn() throws InterruptedException {
    if (pending.isEmpty()) {
      consumer.resume(consumer.paused());
    } else {
      consumer.pause(consumer.assignment());
    }
    consumer.poll(untilNext()).forEach(pending::add);
    ConsumerRecord<String, byte[]> next = pending.peek();
    if (next == null || clock.instant().isBefore(triedAgainAt)) {
      return;
    }
    Optional<String> failure = take(next);
    status.trouble(failure);
    if (failure.isEmpty()) {
      pause = FIRST_PAUSE;
      pending.remove();
      commit(next);
    } else {
      refused.increment();
      told.accept(
          "not taken, tried again in %d s: %s: %s"
              .formatted(pause.toSeconds(), webhook, failure.get()));
      triedAgainAt = clock.instant().plus(pause);
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }
  }

  private Duration untilNext() {
    if (pending.isEmpty()) {
      return POLL;
    }
    Instant now = clock.instant();
    Duration left =
        now.isBefore(triedAgainAt) ? Duration.between(now, triedAgainAt) : Duration.ZERO;
    return left.compareTo(POLL) > 0 ? POLL : left;
  }

  /** Returns why it must be tried again; empty when it is done with. */
  private Optional<String> take(ConsumerRecord<String, byte[]> record) throws InterruptedException {
    if (record.value() == null) {
      // It follows the record that said how it was resolved.
      return Optional.empty();
    }
    String id = "%s-%d-%d".formatted(record.topic(), record.partition(), record.offset());
    try {
      StuckClaim claim = reader.deserialize(record.topic(), record.value());
      Alert alert = new Alert(id, String.valueOf(record.key()), claim);
      Optional<String> failure = webhook.deliver(alert);
      if (failure.isEmpty()) {
        taken.increment();
        told.accept(alert.text());
      }
      return failure;
    } catch (RegistryUnavailableException e) {
      return Optional.of("the schema registry does not answer");
    } catch (UnreadableRecordException e) {
      leftOut.increment();
      told.accept("left out, it cannot be read: " + id + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private void commit(ConsumerRecord<String, byte[]> record) {
    try {
      consumer.commitSync(
          Map.of(
              new TopicPartition(record.topic(), record.partition()),
              new OffsetAndMetadata(record.offset() + 1)));
    } catch (CommitFailedException | RebalanceInProgressException e) {
      told.accept("taken, and may be taken again: the partition moves");
    }
  }

  /** Who has the partition now takes them. */
  private final class ForgetPending implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      pending.removeIf(
          record -> partitions.contains(new TopicPartition(record.topic(), record.partition())));
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
  }
}
