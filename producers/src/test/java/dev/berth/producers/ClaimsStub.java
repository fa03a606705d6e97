package dev.berth.producers;

import dev.berth.records.AllocEvent;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClaimRequested;
import dev.berth.records.Command;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.ReplyOutcome;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Stands for Berth: lets every claim of one namespace wait once and then grants it, and carries out
 * every command.
 */
final class ClaimsStub implements AutoCloseable {

  private final Connection connection;
  private final String namespace;
  private final Registry registry;
  private final TopicReader<AllocEvent> events;
  private final TopicReader<Command> commands;
  private final Producer<String, byte[]> producer;
  private final Thread thread;
  private final List<AllocEvent> seen = new CopyOnWriteArrayList<>();
  private volatile boolean closing;

  ClaimsStub(Connection connection, String namespace) {
    this.connection = connection;
    this.namespace = namespace;
    this.registry = Registry.connect(connection.registry());
    this.events =
        new TopicReader<>(
            connection,
            connection.topics().name(Topic.ALLOC_EVENTS),
            AllocEvent.class,
            "read_committed");
    this.commands =
        new TopicReader<>(
            connection, connection.topics().name(Topic.COMMANDS), Command.class, "read_committed");
    this.producer = new KafkaProducer<>(KafkaSettings.producer(connection));
    this.thread = new Thread(this::run, "claims-stub");
    thread.start();
  }

  /** Returns the events that were read, in order per volume. */
  List<AllocEvent> seen() {
    return List.copyOf(seen);
  }

  @Override
  public void close() throws InterruptedException {
    closing = true;
    thread.join();
    producer.close();
    events.close();
    commands.close();
    registry.close();
  }

  private void run() {
    while (!closing) {
      for (ConsumerRecord<String, AllocEvent> record : events.poll()) {
        if (record.value().getNamespace().equals(namespace)) {
          answer(record.value());
        }
      }
      for (ConsumerRecord<String, Command> record : commands.poll()) {
        answer(record.key(), record.value());
      }
      producer.flush();
    }
  }

  private void answer(AllocEvent event) {
    seen.add(event);
    if (event.getBody() instanceof ClaimRequested claim) {
      send(event, claim, ReplyOutcome.WAITING);
      send(event, claim, ReplyOutcome.GRANTED);
    }
  }

  private void send(AllocEvent event, ClaimRequested claim, ReplyOutcome outcome) {
    ClaimReply reply =
        new ClaimReply(
            claim.getRequestId(),
            event.getScheduler(),
            event.getNamespace(),
            event.getVolume(),
            event.getAlloc(),
            claim.getNode(),
            1L,
            outcome,
            null,
            null,
            "",
            null,
            Map.of("device", "/dev/xvdf"),
            event.getAt());
    send(Topic.CLAIM_REPLIES, event.getAlloc(), reply, ClaimReply.class);
  }

  private void answer(String subject, Command command) {
    send(
        Topic.COMMAND_RESULTS,
        command.getCommandId(),
        new CommandResult(
            command.getCommandId(),
            command.getBy(),
            command.getReason(),
            command.getBody().getClass().getSimpleName(),
            subject,
            CommandOutcome.OK,
            null,
            "done",
            Instant.EPOCH),
        CommandResult.class);
  }

  // The test fails by what it waits for.
  @SuppressWarnings("FutureReturnValueIgnored")
  private <T extends SpecificRecord> void send(Topic topic, String key, T value, Class<T> type) {
    String name = connection.topics().name(topic);
    producer.send(
        new ProducerRecord<>(
            name, key, AvroSerde.of(registry, type).serializer().serialize(name, value)));
  }
}
