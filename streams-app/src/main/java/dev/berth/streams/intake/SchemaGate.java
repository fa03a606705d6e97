package dev.berth.streams.intake;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryUnavailableException;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells which records can be read, or rejected for good, without waiting for the registry. One for
 * all stream threads.
 *
 * <p>The registry is asked on a thread of its own: one that hangs instead of refusing would keep a
 * stream thread from everything else it does.
 */
public final class SchemaGate implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaGate.class);

  /** What a registry that is well needs for an answer; a partition is held after that. */
  private static final Duration ANSWER = Duration.ofMillis(250);

  private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(500);

  private final Registry registry;
  private final Clock clock;
  private final Map<Integer, Question> questions = new ConcurrentHashMap<>();
  private final Map<TopicPartition, HeldPartition> held = new ConcurrentHashMap<>();
  private final ExecutorService asking =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "schema-gate");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Prepares; nothing is asked yet.
   *
   * @param registry the one that the topology reads with: what it knows need not be asked
   * @param clock says since when a partition waits, and paces the questions
   */
  public SchemaGate(Registry registry, Clock clock) {
    this.registry = registry;
    this.clock = clock;
  }

  /** The partitions that wait now, by name. */
  public List<HeldPartition> held() {
    return held.values().stream()
        .sorted(Comparator.comparing(each -> each.partition().toString()))
        .toList();
  }

  /**
   * Whether records of this schema may pass: the registry has told the schema, or that there is
   * none. Waits a moment for the answer to a first question, and for none after that.
   */
  boolean opens(int schema) {
    if (registry.knows(schema)) {
      return true;
    }
    Question question = questions.get(schema);
    boolean first = question == null;
    if (question == null || question.isStale()) {
      question = new Question(asking.submit(() -> ask(schema)));
      questions.put(schema, question);
    }
    Answer answer = question.answer(first ? ANSWER : Duration.ZERO);
    if (answer == null || !answer.given()) {
      return false;
    }
    // Not kept: what is unknown today may be registered tomorrow.
    questions.remove(schema);
    return true;
  }

  /** A partition begins to wait. */
  void hold(TopicPartition partition, long offset, int schema) {
    held.put(partition, new HeldPartition(partition, offset, schema, clock.instant(), why(schema)));
    LOG.warn(
        "partition waits for the registry partition={} offset={} schema={} waiting={}",
        partition,
        offset,
        schema,
        held.size());
  }

  /** A partition goes on waiting; what the registry client says of it may have changed. */
  void stillHolds(TopicPartition partition) {
    held.computeIfPresent(
        partition,
        (same, before) -> {
          String why = why(before.schema());
          return why.isEmpty() || why.equals(before.why())
              ? before
              : new HeldPartition(partition, before.offset(), before.schema(), before.since(), why);
        });
  }

  /** A partition waits no more. */
  void release(TopicPartition partition) {
    HeldPartition before = held.remove(partition);
    if (before != null) {
      LOG.info(
          "partition goes on partition={} offset={} waited={} waiting={}",
          partition,
          before.offset(),
          Duration.between(before.since(), clock.instant()),
          held.size());
    }
  }

  private String why(int schema) {
    Question question = questions.get(schema);
    Answer answer = question == null ? null : question.answer(Duration.ZERO);
    return answer == null ? "" : answer.why();
  }

  private Answer ask(int schema) {
    try {
      registry.schemaById(schema);
      return new Answer(true, "");
    } catch (RegistryUnavailableException away) {
      return new Answer(false, String.valueOf(away.getMessage()));
    }
  }

  /** Asks nothing more. */
  @Override
  public void close() {
    asking.shutdownNow();
  }

  /**
   * What came of a question.
   *
   * @param given whether the registry answered
   * @param why what was said instead
   */
  private record Answer(boolean given, String why) {}

  /** One question to the registry. */
  private final class Question {
    private final Future<Answer> future;
    private final long askedAt = clock.millis();

    Question(Future<Answer> future) {
      this.future = future;
    }

    boolean isStale() {
      Answer answer = answer(Duration.ZERO);
      return answer != null
          && !answer.given()
          && clock.millis() - askedAt >= BETWEEN_QUESTIONS.toMillis();
    }

    @Nullable Answer answer(Duration patience) {
      try {
        return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        return null;
      } catch (ExecutionException e) {
        return new Answer(false, String.valueOf(e.getCause()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return null;
      }
    }
  }
}
