package dev.berth.producers.feed;

import dev.berth.producers.InvalidEventException;
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

  private static final int UNWRITTEN = 2_000;

  private final FeedOptions options;
  private final Speaker speaker;
  private final Nodes nodes;
  private final Reconciling reconciling;
  private final Clock clock;
  private final FeedTime time;
  private final Queue<CompletableFuture<Void>> unwritten = new ArrayDeque<>();
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
    Optional<byte[]> line = lines.next();
    boolean behind = false;
    while (line.isPresent()) {
      if (bookmark.read(line.get()) && !isBlank(line.get())) {
        behind = !feed(line.get(), bookmark, listener);
      }
      listener.at(bookmark.line());
      line = lines.next();
    }
    bookmark.ended();
    if (behind && bookmark.position().isPresent()) {
      // The last lines said nothing that could have carried the position.
      unwritten.add(speaker.say(List.of(), bookmark.position()).written());
    }
    while (!unwritten.isEmpty()) {
      awaitOldest();
    }
    return new FeedResult(bookmark.before(), bookmark.line() - bookmark.before(), said, rejected);
  }

  /** Returns whether the position was written with it. */
  private boolean feed(byte[] line, Bookmark bookmark, FeedListener listener)
      throws InterruptedException {
    try {
      if (line.length > LineReader.LONGEST) {
        throw new InvalidLineException(
            "has more than %d bytes; shorten it".formatted(LineReader.LONGEST));
      }
      EventLine event = EventLine.of(line);
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
    while (unwritten.size() >= UNWRITTEN) {
      awaitOldest();
    }
    if (what instanceof EventLine.OfNode node) {
      // Written before anything behind it: a later position must not be there without it.
      await(nodes.say(node.node(), node.status(), node.eligible()));
      bookmark.said();
      return false;
    }
    if (what instanceof EventLine.OfAll all) {
      // The claims before this line must be in the table before it is read.
      while (!unwritten.isEmpty()) {
        awaitOldest();
      }
      reconciling.against(all.live());
      bookmark.said();
      return false;
    }
    EventLine.OfAlloc alloc = (EventLine.OfAlloc) what;
    bookmark.said();
    try {
      unwritten.add(speaker.say(List.of(alloc.saying()), bookmark.position()).written());
    } catch (InvalidEventException e) {
      bookmark.notSaid();
      throw e;
    }
    return true;
  }

  private void pace(EventLine event) throws InterruptedException {
    long due = time.nanoTime();
    if (options.eventsPerSecond().isPresent() && said > 0) {
      due = Math.max(due, lastNanos + (long) (1e9 / options.eventsPerSecond().getAsDouble()));
    }
    if (options.factor().isPresent() && event.at().isPresent()) {
      if (firstAt.isEmpty()) {
        firstAt = event.at();
        firstNanos = due;
      }
      Duration since = Duration.between(firstAt.orElseThrow(), event.at().get());
      due =
          Math.max(
              due, firstNanos + (long) (since.toMillis() / options.factor().getAsDouble() * 1e6));
    }
    time.until(due);
    lastNanos = due;
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

  private static boolean isBlank(byte[] line) {
    for (byte character : line) {
      if (character != ' ' && character != '\t' && character != '\r') {
        return false;
      }
    }
    return true;
  }
}
