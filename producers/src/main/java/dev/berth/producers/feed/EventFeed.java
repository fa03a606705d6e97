package dev.berth.producers.feed;

import dev.berth.producers.InvalidEventException;
import dev.berth.producers.LiveAllocs;
import dev.berth.producers.Saying;
import dev.berth.producers.Speaker;
import dev.berth.records.FeedPosition;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says events that come as JSON lines. The thread that calls {@link #run} reads, waits and says; so
 * many statements at most wait to be written as keep memory bounded.
 *
 * <p>With a feed id each line's transaction carries the position behind it: after a crash another
 * run begins with the line after the last one that was written, and neither loses nor doubles any.
 * Lines about nodes are not part of a transaction; the last of them may be said again, which
 * changes nothing. Used once.
 */
public final class EventFeed {

  private static final Logger log = LoggerFactory.getLogger(EventFeed.class);
  private static final int UNWRITTEN = 2_000;
  private static final Duration DECIDING = Duration.ofSeconds(30);
  private static final double LONGEST_WAIT_NANOS = Duration.ofDays(36_500).toNanos();

  private final FeedOptions options;
  private final Speaker speaker;
  private final Nodes nodes;
  private final Reconciling reconciling;
  private final Clock clock;
  private final FeedTime time;
  private final Queue<CompletableFuture<Void>> unwritten = new ArrayDeque<>();
  private final UndecidedClaims undecided = new UndecidedClaims();
  private Optional<Instant> firstAt = Optional.empty();
  private long firstNanos;
  private long lastNanos;
  private long said;
  private long rejected;

  /**
   * Prepares.
   *
   * @param speaker a scheduler
   * @param nodes where lines about nodes go
   * @param reconciling where complete lists of live allocs go
   * @param clock for the times shown to people
   */
  public EventFeed(
      FeedOptions options, Speaker speaker, Nodes nodes, Reconciling reconciling, Clock clock) {
    this(options, speaker, nodes, reconciling, clock, FeedTime.system());
  }

  EventFeed(
      FeedOptions options,
      Speaker speaker,
      Nodes nodes,
      Reconciling reconciling,
      Clock clock,
      FeedTime time) {
    this.options = options;
    this.speaker = speaker;
    this.nodes = nodes;
    this.reconciling = reconciling;
    this.clock = clock;
    this.time = time;
  }

  /**
   * Feeds all lines, and returns when the last event is written.
   *
   * @param in the lines; not closed
   * @param from where the feed stands, see {@link dev.berth.producers.FeedPositions}; empty to
   *     begin
   * @throws FeedException when the input is not that of the position, or nothing can be written
   * @throws IOException when the input cannot be read
   * @throws InterruptedException when this thread is interrupted; another run can go on
   */
  public FeedResult run(InputStream in, Optional<FeedPosition> from, FeedListener listener)
      throws IOException, InterruptedException {
    Bookmark bookmark = new Bookmark(options, from, clock);
    LineReader lines = new LineReader(in);
    Optional<LineReader.Line> line = lines.next();
    boolean behind = false;
    while (line.isPresent() && !isLeft(line.get(), bookmark, listener)) {
      if (bookmark.read(line.get().bytes()) && !line.get().isBlank()) {
        behind = !feed(line.get().bytes(), bookmark, listener);
      }
      listener.at(bookmark.line());
      line = lines.next();
    }
    bookmark.ended();
    if (behind && bookmark.position().isPresent()) {
      // The last lines said nothing that could have carried the position.
      unwritten.add(speaker.say(List.of(), bookmark.position()).written());
    }
    awaitAll();
    return new FeedResult(bookmark.before(), bookmark.line() - bookmark.before(), said, rejected);
  }

  /**
   * Whether this is the beginning of a line that is being written: a position behind it would keep
   * the next run from reading it whole.
   */
  private boolean isLeft(LineReader.Line line, Bookmark bookmark, FeedListener listener) {
    if (line.ended() || options.feed().isEmpty() || bookmark.line() < bookmark.before()) {
      return false;
    }
    if (line.isBlank()) {
      return true;
    }
    try {
      var unused = EventLine.of(line.bytes(), options.indexes());
      return false;
    } catch (InvalidLineException e) {
      rejected++;
      listener.rejected(
          "%s:%d: has no line end yet and is left to the next run: %s"
              .formatted(options.source(), bookmark.line() + 1, e.getMessage()));
      return true;
    }
  }

  /** Returns whether the position was written with it. */
  private boolean feed(byte[] line, Bookmark bookmark, FeedListener listener)
      throws InterruptedException {
    try {
      EventLine event = EventLine.of(line, options.indexes());
      pace(event);
      boolean carried = say(event.what(), bookmark);
      said++;
      return carried;
    } catch (InvalidLineException | InvalidEventException e) {
      rejected++;
      bookmark.rejected();
      listener.rejected("%s:%d: %s".formatted(options.source(), bookmark.line(), e.getMessage()));
      return false;
    }
  }

  private boolean say(EventLine.What what, Bookmark bookmark) throws InterruptedException {
    while (unwritten.size() >= UNWRITTEN || isOldestDone()) {
      awaitOldest();
    }
    if (what instanceof EventLine.OfNode node) {
      // In the order of the lines: not before anything ahead of it, and written before anything
      // behind it, for a later position must not be there without it.
      awaitAll();
      await(nodes.say(node.node(), node.status(), node.eligible()));
      bookmark.said();
      return false;
    }
    if (what instanceof EventLine.OfAll all) {
      reconcile(all.live(), bookmark);
      bookmark.said();
      return false;
    }
    EventLine.OfAlloc alloc = (EventLine.OfAlloc) what;
    bookmark.said();
    try {
      Saying.Said now = speaker.say(List.of(undecided.told(alloc.saying())), bookmark.position());
      undecided.asked(now.replies());
      unwritten.add(now.written());
    } catch (InvalidEventException e) {
      bookmark.notSaid();
      throw e;
    }
    return true;
  }

  private void reconcile(LiveAllocs live, Bookmark bookmark) throws InterruptedException {
    // The claims of the lines before can be judged only once they are in the table.
    awaitAll();
    if (!time.await(undecided.none(), DECIDING)) {
      log.warn(
          "claims are not decided yet; a list does not end them source={} line={}",
          options.source(),
          bookmark.line());
    }
    try {
      reconciling.against(live);
    } catch (InterruptException e) {
      throw (InterruptedException) new InterruptedException().initCause(e);
    } catch (InvalidEventException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new FeedException(
          "%s:%d: the list could not be held against the claims; feed again to go on with this line: %s"
              .formatted(options.source(), bookmark.line(), e.getMessage()),
          e);
    }
  }

  private void pace(EventLine event) throws InterruptedException {
    long due = time.nanoTime();
    if (options.eventsPerSecond().isPresent() && said > 0) {
      due = Math.max(due, lastNanos + nanos(1e9 / options.eventsPerSecond().getAsDouble()));
    }
    if (options.factor().isPresent() && event.at().isPresent()) {
      if (firstAt.isEmpty()) {
        firstAt = event.at();
        firstNanos = due;
      }
      Duration since = Duration.between(firstAt.orElseThrow(), event.at().get());
      due =
          Math.max(
              due, firstNanos + nanos(since.toMillis() / options.factor().getAsDouble() * 1e6));
    }
    time.until(due);
    lastNanos = due;
  }

  /** Bounded, so that adding it to a time does not overflow. */
  private static long nanos(double wait) {
    return (long) Math.max(0, Math.min(wait, LONGEST_WAIT_NANOS));
  }

  private boolean isOldestDone() {
    CompletableFuture<Void> oldest = unwritten.peek();
    return oldest != null && oldest.isDone();
  }

  private void awaitAll() throws InterruptedException {
    while (!unwritten.isEmpty()) {
      awaitOldest();
    }
  }

  private void awaitOldest() throws InterruptedException {
    await(unwritten.remove());
  }

  private void await(CompletableFuture<Void> written) throws InterruptedException {
    try {
      written.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new FeedException(
          "%s could not be written further: %s".formatted(options.source(), cause.getMessage()),
          cause);
    }
  }
}
