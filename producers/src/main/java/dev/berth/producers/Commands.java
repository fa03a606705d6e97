package dev.berth.producers;

import dev.berth.records.AssumeDetached;
import dev.berth.records.CollectGarbage;
import dev.berth.records.Command;
import dev.berth.records.CommandResult;
import dev.berth.records.DeregisterVolume;
import dev.berth.records.DetachVolume;
import dev.berth.records.FenceNode;
import dev.berth.records.PausePlugin;
import dev.berth.records.RegisterVolume;
import dev.berth.records.ResumePlugin;
import dev.berth.records.RetryVolume;
import dev.berth.records.UnblockVolume;
import dev.berth.records.UnfenceNode;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Sends commands to Berth and hands back what became of them.
 *
 * <p>Every command is answered once, carried out or refused; a refusal is a result, not a failure.
 * The futures fail with {@link WriteFailedException} when the command could not be sent and with
 * {@link ClosedException} when this is closed first, and they complete on the thread that reads
 * results: do not block in what depends on them. A call may block for some seconds while the
 * cluster is out of reach. Safe for use by many threads.
 */
public final class Commands implements AutoCloseable {

  private final Registry registry;
  private final String topic;
  private final Serializer<Command> serializer;
  private final Clock clock;
  private final OpenQuestions<CommandResult> open =
      new OpenQuestions<>(CommandResult::getCommandId, result -> true);
  private final AnswerReader<CommandResult> results;
  private final RecordSender sender;

  /** Takes ownership of everything it is given, also when it fails. */
  Commands(
      Connection connection,
      Registry registry,
      Producer<String, byte[]> producer,
      Consumer<String, byte[]> consumer,
      Clock clock) {
    this.registry = registry;
    this.topic = connection.topics().name(Topic.COMMANDS);
    this.serializer = AvroSerde.of(registry, Command.class).serializer();
    this.clock = clock;
    this.sender = new RecordSender(producer);
    try {
      this.results =
          new AnswerReader<>(
              consumer,
              connection.topics().name(Topic.COMMAND_RESULTS),
              AvroSerde.of(registry, CommandResult.class).deserializer(),
              open::answer,
              clock,
              "berth-command-results");
    } catch (RuntimeException e) {
      sender.close();
      throw e;
    }
  }

  /**
   * Connects and begins to read results.
   *
   * @throws IllegalArgumentException when a setting cannot be used
   * @throws IllegalStateException when Berth's topics do not exist
   * @throws dev.berth.schemas.registry.RegistryUnavailableException when the schema registry does
   *     not answer
   * @throws org.apache.kafka.common.KafkaException when the cluster does not answer or refuses
   */
  public static Commands start(Connection connection) {
    Registry registry = Registry.connect(connection.registry());
    try {
      registry.idFor(connection.topics().subject(Topic.COMMANDS), Command.getClassSchema());
      return new Commands(
          connection,
          registry,
          new KafkaProducer<>(KafkaSettings.producer(connection)),
          new KafkaConsumer<>(KafkaSettings.consumer(connection)),
          Clock.systemUTC());
    } catch (RuntimeException e) {
      registry.close();
      throw e;
    }
  }

  /** Registers a volume, or replaces its registration. */
  public CompletableFuture<CommandResult> registerVolume(VolumeSpec spec, Author author) {
    return send(new RegisterVolume(spec), author);
  }

  /**
   * Deregisters a volume.
   *
   * @param force also while dead claims are still being released
   */
  public CompletableFuture<CommandResult> deregisterVolume(
      String namespace, String volume, boolean force, Author author) {
    return send(new DeregisterVolume(namespace, volume, force), author);
  }

  /** Ends the claims of a volume on a node and detaches it. */
  public CompletableFuture<CommandResult> detach(
      String namespace, String volume, String node, Author author) {
    return send(new DetachVolume(namespace, volume, node), author);
  }

  /**
   * Tries held and stuck steps of a volume at once, with a new budget.
   *
   * @param alloc only this alloc's claim; empty for all of the volume
   */
  public CompletableFuture<CommandResult> retry(
      String namespace, String volume, Optional<String> alloc, Author author) {
    return send(new RetryVolume(namespace, volume, alloc.orElse(null)), author);
  }

  /** Vouches that a volume is detached from a node; needs a reason. */
  public CompletableFuture<CommandResult> assumeDetached(
      String namespace, String volume, String node, Author author) {
    return send(new AssumeDetached(namespace, volume, node), author);
  }

  /** Treats the claims of a volume on lost nodes as unmounted. */
  public CompletableFuture<CommandResult> unblock(String namespace, String volume, Author author) {
    return send(new UnblockVolume(namespace, volume), author);
  }

  /** Vouches that a node can no longer write; needs a reason. */
  public CompletableFuture<CommandResult> fence(String node, Author author) {
    return send(new FenceNode(node), author);
  }

  /** Takes a fence back: the node is clean again. */
  public CompletableFuture<CommandResult> unfence(String node, Author author) {
    return send(new UnfenceNode(node), author);
  }

  /** Stops the controller calls of a plugin; the open one ends. */
  public CompletableFuture<CommandResult> pause(String plugin, Author author) {
    return send(new PausePlugin(plugin), author);
  }

  /** Lets a paused plugin go on. */
  public CompletableFuture<CommandResult> resume(String plugin, Author author) {
    return send(new ResumePlugin(plugin), author);
  }

  /** Collects garbage now, ignoring the thresholds. */
  public CompletableFuture<CommandResult> collectGarbage(Author author) {
    return send(new CollectGarbage(), author);
  }

  /**
   * Sends a command with an id of the caller's, who finds its answer on command-results also after
   * this process has ended. Sent again it is carried out again: look for the answer first.
   *
   * @throws InvalidEventException naming field, value and remedy
   */
  public CompletableFuture<CommandResult> send(Command command) {
    FieldRules.id("commandId", command.getCommandId());
    FieldRules.name("by", command.getBy());
    String key = CommandSubject.of(command.getBody());
    if (CommandSubject.needsReason(command.getBody()) && command.getReason().isBlank()) {
      throw new InvalidEventException(
          "reason", "is empty", "say why: this overrides what Berth knows");
    }
    byte[] value = serializer.serialize(topic, command);
    CompletableFuture<CommandResult> result = open.open(command.getCommandId(), interim -> {});
    OpenQuestions.failWith(sender.send(topic, key, value), result);
    return result;
  }

  /** Ends; commands without a result fail with {@link ClosedException} and stand all the same. */
  @Override
  public void close() {
    sender.close();
    results.close();
    open.closeAll(
        id ->
            new ClosedException(
                "closed before command %s was answered; it stands: look for its result on the command-results topic"
                    .formatted(id)));
    registry.close();
  }

  private CompletableFuture<CommandResult> send(Object body, Author author) {
    return send(
        new Command(
            UUID.randomUUID().toString(),
            author.by(),
            author.reason(),
            clock.instant().truncatedTo(ChronoUnit.MILLIS),
            body));
  }
}
