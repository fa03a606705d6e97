package dev.berth.producers;

import dev.berth.producers.TransactionalWriter.TransactionFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets statements of many callers share transactions. Statements are written in the order in which
 * they are submitted: a failed transaction is written again before anything behind it.
 *
 * <p>A position says that everything before it was written. Therefore a feed ends with its first
 * statement that fails: those behind it fail too, as long as this writer lives, whether they are
 * queued already or come later.
 *
 * <p>Any thread submits; one thread, started here, owns the writer and completes the statements'
 * futures.
 */
final class GroupCommit implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);
  private static final int WAITING_STATEMENTS = 10_000;
  private static final int STATEMENTS_PER_TRANSACTION = 500;
  private static final Duration IDLE = Duration.ofMillis(100);
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final TransactionalWriter writer;
  private final Duration linger;
  private final Duration pause;
  private final BlockingQueue<Statement> queue = new ArrayBlockingQueue<>(WAITING_STATEMENTS);

  /** Why nothing more is written of a feed, by feed id. */
  private final Map<String, RuntimeException> endedFeeds = new ConcurrentHashMap<>();

  private final LongAdder committed = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Thread thread;
  private volatile boolean closing;
  private volatile boolean finished;
  private volatile @Nullable RuntimeException ended;

  /**
   * Starts the thread.
   *
   * @param linger how long the first statement waits for others
   * @param pause how long to wait before a failed transaction is written again
   */
  GroupCommit(TransactionalWriter writer, Duration linger, Duration pause, String threadName) {
    this.writer = writer;
    this.linger = linger;
    this.pause = pause;
    this.thread = new Thread(this::run, threadName);
    thread.setDaemon(true);
    thread.start();
  }

  /** Queues a statement; its future tells what becomes of it. Never blocks. */
  void submit(Statement statement) {
    RuntimeException reason = ended;
    if (reason != null) {
      fail(List.of(statement), reason);
    } else if (closing) {
      fail(List.of(statement), closed());
    } else if (feedEnded(statement).isPresent()) {
      fail(List.of(statement), behind(statement));
    } else if (!queue.offer(statement)) {
      fail(
          List.of(statement),
          new WriteFailedException(
              "refused: %d statements wait for Kafka already; wait and say it again"
                  .formatted(WAITING_STATEMENTS),
              new IllegalStateException("queue is full")));
    } else if (finished) {
      // The thread ended between the checks and the offer: it will not see what is queued now.
      failQueued();
    }
  }

  /** Statements that wait for a transaction (count). */
  int queued() {
    return queue.size();
  }

  /** Transactions that went through (count). */
  long committed() {
    return committed.sum();
  }

  /** Transactions that did not, as far as is known (count). */
  long failed() {
    return failed.sum();
  }

  /** Whether nothing is written any more. */
  boolean isOver() {
    return finished;
  }

  /** Writes what is queued, for a few seconds at most, and ends. */
  @Override
  public void close() {
    closing = true;
    try {
      thread.join(CLOSING.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }

  private void run() {
    try {
      while (!(closing && queue.isEmpty()) && ended == null) {
        List<Statement> batch = next();
        if (!batch.isEmpty()) {
          write(batch);
        }
      }
    } catch (InterruptedException e) {
      log.warn("statements were given up because the writer was stopped queued={}", queue.size());
    } catch (RuntimeException | Error e) {
      log.error("the writer of statements failed; nothing more is written", e);
      ended = new IllegalStateException("the writer of statements failed: " + e, e);
    } finally {
      // First this, then the queue: whoever offers later finds it set and empties the queue.
      finished = true;
      failQueued();
      writer.close();
    }
  }

  private List<Statement> next() throws InterruptedException {
    List<Statement> batch = new ArrayList<>();
    Statement first = queue.poll(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    if (first == null) {
      return batch;
    }
    batch.add(first);
    long until = System.nanoTime() + linger.toNanos();
    while (batch.size() < STATEMENTS_PER_TRANSACTION) {
      Statement more = queue.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (more == null) {
        break;
      }
      batch.add(more);
    }
    return batch;
  }

  private void write(List<Statement> batch) throws InterruptedException {
    try {
      leaveOutEndedFeeds(batch);
      while (!batch.isEmpty()) {
        try {
          writer.write(batch.stream().flatMap(statement -> statement.records().stream()).toList());
          committed.increment();
          batch.forEach(statement -> statement.written().complete(null));
          batch.clear();
        } catch (TransactionFailedException e) {
          failed.increment();
          follow(e, batch);
          leaveOutEndedFeeds(batch);
        }
      }
    } finally {
      // Whatever way out was taken: what is still there was not confirmed.
      fail(batch, closed());
    }
  }

  private void leaveOutEndedFeeds(List<Statement> batch) {
    List<Statement> behind = batch.stream().filter(s -> feedEnded(s).isPresent()).toList();
    behind.forEach(statement -> fail(List.of(statement), behind(statement)));
    batch.removeAll(behind);
  }

  private Optional<RuntimeException> feedEnded(Statement statement) {
    return statement.feed().flatMap(feed -> Optional.ofNullable(endedFeeds.get(feed)));
  }

  private RuntimeException behind(Statement statement) {
    RuntimeException first = feedEnded(statement).orElseThrow();
    return new WriteFailedException(
        "not written, since feed '%s' has ended with what was to be written before it (%s): feed again from its position, through a new scheduler"
            .formatted(statement.feed().orElseThrow(), first.getMessage()),
        first);
  }

  /** Leaves in the batch what is to be written again. */
  private void follow(TransactionFailedException failure, List<Statement> batch)
      throws InterruptedException {
    switch (failure.failure()) {
      case REPLACED -> {
        RuntimeException reason = replaced(failure);
        ended = reason;
        fail(batch, reason);
        batch.clear();
      }
      case REFUSED -> {
        fail(batch, refused(failure));
        batch.clear();
      }
      case AGAIN -> {
        log.warn(
            "transaction failed and is written again statements={} reason={}",
            batch.size(),
            failure.getMessage());
        TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        giveUpLate(batch, failure);
      }
    }
  }

  private void giveUpLate(List<Statement> batch, TransactionFailedException last) {
    long now = System.nanoTime();
    List<Statement> late = batch.stream().filter(statement -> statement.isLate(now)).toList();
    fail(
        late,
        new WriteFailedException(
            "not confirmed in time; it may have been written, say it again: " + last.getMessage(),
            last));
    batch.removeAll(late);
  }

  private void failQueued() {
    List<Statement> left = new ArrayList<>();
    queue.drainTo(left);
    RuntimeException reason = ended;
    fail(left, reason == null ? closed() : reason);
  }

  private void fail(List<Statement> statements, RuntimeException reason) {
    for (Statement statement : statements) {
      // First this: whoever hears of the failure finds the feed ended.
      statement.feed().ifPresent(feed -> endedFeeds.putIfAbsent(feed, reason));
      statement.written().completeExceptionally(reason);
    }
  }

  private static RuntimeException replaced(TransactionFailedException cause) {
    return new SchedulerReplacedException(
        "another process writes under the same scheduler id and has taken over: close this one",
        cause);
  }

  private static RuntimeException refused(TransactionFailedException cause) {
    return new WriteFailedException("refused by Kafka: " + cause.getMessage(), cause);
  }

  private static RuntimeException closed() {
    return new ClosedException(
        "closed before the statement was confirmed; it may have been written, say it again");
  }
}
