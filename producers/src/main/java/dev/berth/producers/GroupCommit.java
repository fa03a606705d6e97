package dev.berth.producers;

import dev.berth.producers.TransactionalWriter.TransactionFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets statements of many callers share transactions. Statements are written in the order in which
 * they are submitted: a failed transaction is written again before anything behind it.
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
      statement.written().completeExceptionally(reason);
    } else if (closing) {
      statement.written().completeExceptionally(closed());
    } else if (!queue.offer(statement)) {
      statement
          .written()
          .completeExceptionally(
              new WriteFailedException(
                  "refused: %d statements wait for Kafka already; wait and say it again"
                      .formatted(WAITING_STATEMENTS),
                  new IllegalStateException("queue is full")));
    } else if (finished) {
      // The thread ended between the checks and the offer: it will not see what is queued now.
      failQueued();
    }
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
      while (!batch.isEmpty()) {
        try {
          writer.write(batch.stream().flatMap(statement -> statement.records().stream()).toList());
          batch.forEach(statement -> statement.written().complete(null));
          return;
        } catch (TransactionFailedException e) {
          follow(e, batch);
        }
      }
    } finally {
      // Whatever way out was taken: those that are answered keep their answer.
      fail(batch, closed());
    }
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

  private static void giveUpLate(List<Statement> batch, TransactionFailedException last) {
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

  private static void fail(List<Statement> statements, RuntimeException reason) {
    statements.forEach(statement -> statement.written().completeExceptionally(reason));
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
