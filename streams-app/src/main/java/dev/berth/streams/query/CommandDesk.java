package dev.berth.streams.query;

import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.SubmitCommandResponse;
import dev.berth.records.CommandResult;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.headers.Traces;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.codec.CommandCodecs;
import dev.berth.streams.command.Answer;
import dev.berth.streams.command.Command;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes commands, and waits for their answers. Starts to read answers with the first command: an
 * instance that nobody sends commands to reads none.
 *
 * <p>A command that is sent again is carried out again, so it is not: an id that is being waited
 * for here is waited for, and one that was answered gives its answer. What remains is an id sent to
 * two instances before either of them saw the answer.
 */
final class CommandDesk implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CommandDesk.class);
  private static final Duration USUAL_PATIENCE = Duration.ofSeconds(30);
  private static final Duration LOOK_BACK = Duration.ofDays(30);
  private static final Duration LOOK_FOR = Duration.ofSeconds(5);

  /** Answers to look at for one that came before (count). */
  private static final long MOST_ANSWERS = 50_000;

  private final TopicAccess access;
  private final InstantSource clock;
  private final Serializer<dev.berth.records.Command> values;
  private @Nullable CommandAnswers answers;
  private @Nullable Producer<String, byte[]> producer;
  private boolean closed;

  CommandDesk(TopicAccess access, InstantSource clock) {
    this.access = access;
    this.clock = clock;
    this.values = AvroSerde.of(access.registry(), dev.berth.records.Command.class).serializer();
  }

  /**
   * Takes a command.
   *
   * @param answered told the answer, or the failure, on some thread; once
   * @throws StatusRuntimeException when it is not taken
   */
  void submit(
      SubmitCommandRequest request,
      BiConsumer<@Nullable SubmitCommandResponse, @Nullable StatusRuntimeException> answered) {
    boolean named = !request.getCommandId().isEmpty();
    String id = named ? request.getCommandId() : UUID.randomUUID().toString();
    Command command = CommandMessages.command(request, id, Caller.current(), clock.instant());
    Optional<Answer> before = named ? answerOf(id) : Optional.empty();
    if (before.isPresent()) {
      requireSame(command, before.get());
      answered.accept(CommandMessages.response(before.get()), null);
      return;
    }
    CommandAnswers reading = reading();
    CommandAnswers.Waiting waiting = reading.await(id);
    CompletableFuture<Answer> own = waiting.answer().copy();
    hand(command, own, answered);
    if (waiting.first()) {
      send(command, waiting.answer());
    }
    own.orTimeout(patience().toMillis(), TimeUnit.MILLISECONDS);
  }

  // What it makes tells nothing more: the one who asked has been told, whatever it is.
  @SuppressWarnings("FutureReturnValueIgnored")
  private static void hand(
      Command command,
      CompletableFuture<Answer> own,
      BiConsumer<@Nullable SubmitCommandResponse, @Nullable StatusRuntimeException> answered) {
    own.whenComplete(
        (answer, failure) -> {
          if (failure != null) {
            answered.accept(null, notAnswered(command, failure));
          } else {
            answered.accept(CommandMessages.response(answer), null);
          }
        });
  }

  /** A client gone, or out of patience: the answer stands on its topic for who asks again. */
  private static StatusRuntimeException notAnswered(Command command, Throwable failure) {
    if (failure instanceof TimeoutException || failure.getCause() instanceof TimeoutException) {
      return Status.DEADLINE_EXCEEDED
          .withDescription(
              "command %s was written and has no answer yet; ask again with this command_id to have it"
                  .formatted(command.id()))
          .asRuntimeException();
    }
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return Status.UNAVAILABLE
        .withDescription(
            "command %s was not confirmed by the brokers and may have been written; ask again with this command_id: %s"
                .formatted(command.id(), cause.getMessage()))
        .asRuntimeException();
  }

  private static void requireSame(Command command, Answer before) {
    boolean same =
        command.body().name().equals(before.command())
            && command.body().subject().equals(before.subject());
    if (!same) {
      throw Status.INVALID_ARGUMENT
          .withDescription(
              "command_id=%s: it was used before, for %s of %s; choose another"
                  .formatted(command.id(), before.command(), before.subject()))
          .asRuntimeException();
    }
  }

  private static Duration patience() {
    Deadline deadline = Context.current().getDeadline();
    // A little less, so that the caller is told about the command and not only of the time.
    return deadline == null
        ? USUAL_PATIENCE
        : Duration.ofMillis(Math.max(1, deadline.timeRemaining(TimeUnit.MILLISECONDS) - 100));
  }

  private Optional<Answer> answerOf(String id) {
    Consumer<String, byte[]> consumer = access.consumers().get();
    try {
      TopicTail.Tail<CommandResult> found =
          new TopicTail(consumer, clock, MOST_ANSWERS)
              .read(
                  access.topics().name(Topic.COMMAND_RESULTS),
                  id,
                  id,
                  clock.instant().minus(LOOK_BACK),
                  clock.instant().plus(LOOK_FOR),
                  AvroSerde.of(access.registry(), CommandResult.class).deserializer());
      return found.records().stream()
          .findFirst()
          .map(record -> CommandCodecs.ANSWER.decode().apply(record.value()));
    } catch (KafkaException e) {
      throw brokers(e);
    } finally {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  // The callback hears all that the producer's own future would say.
  @SuppressWarnings("FutureReturnValueIgnored")
  private void send(Command command, CompletableFuture<Answer> answer) {
    String topic = access.topics().name(Topic.COMMANDS);
    byte[] value = values.serialize(topic, CommandCodecs.COMMAND.encode().apply(command));
    LOG.info(
        "command id={} command={} subject={} by={}",
        command.id(),
        command.body().name(),
        command.body().subject(),
        command.by());
    try {
      sending()
          .send(
              new ProducerRecord<>(
                  topic,
                  null,
                  command.body().subject(),
                  value,
                  StepTimes.NONE.within(Traces.of(CallTrace.current())).headers()),
              (written, failure) -> {
                if (failure != null) {
                  answer.completeExceptionally(failure);
                }
              });
    } catch (KafkaException | IllegalStateException e) {
      answer.completeExceptionally(e);
    }
  }

  private synchronized CommandAnswers reading() {
    requireOpen();
    CommandAnswers known = answers;
    if (known == null) {
      try {
        known = new CommandAnswers(access);
      } catch (KafkaException e) {
        throw brokers(e);
      }
      answers = known;
    }
    return known;
  }

  private synchronized Producer<String, byte[]> sending() {
    requireOpen();
    Producer<String, byte[]> known = producer;
    if (known == null) {
      known = access.producers().get();
      producer = known;
    }
    return known;
  }

  private void requireOpen() {
    if (closed) {
      throw new UnavailableException("this instance ends", Duration.ofSeconds(1));
    }
  }

  private static UnavailableException brokers(KafkaException e) {
    return new UnavailableException(
        "the brokers do not answer: " + e.getMessage(), Duration.ofSeconds(2));
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (answers != null) {
      answers.close();
    }
    if (producer != null) {
      producer.close(Duration.ofSeconds(2));
    }
  }
}
