package dev.berth.ops.terminal;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells somebody who waits what goes on: a line that is rewritten on a terminal, now and then a new
 * line elsewhere. Thread-safe.
 */
public final class Progress implements AutoCloseable {

  private static final Duration REDRAW = Duration.ofMillis(200);
  private static final Duration BETWEEN_PLAIN_LINES = Duration.ofSeconds(5);
  private static final String CLEAR = "\r\u001b[K";

  private final Terminal terminal;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService ticker;
  private final Watcher watcher;
  private @Nullable ScheduledFuture<?> ticks;

  private String what = "";
  private int done;
  private int total;
  private int before;
  private long began;
  private long printed;
  private boolean shown;

  /** Whoever wants to know besides. */
  public interface Watcher {

    /** Something begins that has so many parts; 0 when nobody knows. */
    void step(String text, int parts);

    /** So many parts of the present step are done. */
    void at(int parts);

    /** Nobody. */
    static Watcher none() {
      return new Watcher() {
        @Override
        public void step(String text, int parts) {
          // Nobody wants to know.
        }

        @Override
        public void at(int parts) {
          // Nobody wants to know.
        }
      };
    }
  }

  /**
   * Nothing is shown until the first step.
   *
   * @param terminal where to
   * @param nanoTime as {@link System#nanoTime}
   */
  public Progress(Terminal terminal, LongSupplier nanoTime) {
    this(terminal, nanoTime, Watcher.none());
  }

  /** The same with somebody who is told everything at once. */
  public Progress(Terminal terminal, LongSupplier nanoTime, Watcher watcher) {
    this.terminal = terminal;
    this.watcher = watcher;
    this.nanoTime = nanoTime;
    this.ticker =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "progress");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Something begins of which nobody knows how long it takes. */
  public void step(String text) {
    step(text, 0);
  }

  /**
   * Something begins.
   *
   * @param text what, in words
   * @param parts how many parts it has (count)
   */
  public void step(String text, int parts) {
    step(text, parts, 0);
  }

  /**
   * Something goes on that an earlier process has begun.
   *
   * @param text what, in words
   * @param parts how many parts it has (count)
   * @param doneBefore how many of them are done already (count); the time left is not told by them
   */
  public synchronized void step(String text, int parts, int doneBefore) {
    what = text;
    done = doneBefore;
    before = doneBefore;
    total = parts;
    began = nanoTime.getAsLong();
    watcher.step(text, parts);
    if (terminal.live()) {
      draw();
      keepDrawing();
    } else {
      print();
    }
  }

  /**
   * A part of the present step is done.
   *
   * @param parts how many are done now (count)
   */
  public synchronized void at(int parts) {
    done = parts;
    watcher.at(parts);
    if (!terminal.live() && sincePrinted().compareTo(BETWEEN_PLAIN_LINES) >= 0) {
      print();
    }
  }

  /**
   * The same, with what there is to say of it by now.
   *
   * @param parts how many are done now (count)
   * @param text replaces the words of the step
   */
  public synchronized void at(int parts, String text) {
    what = text;
    at(parts);
  }

  /** Something to keep on the screen, above the line. */
  public synchronized void say(String text) {
    clear();
    terminal.err().println(text);
  }

  /** Takes the line away; the next step shows it again. */
  public synchronized void clear() {
    if (shown) {
      terminal.err().print(CLEAR);
      terminal.err().flush();
      shown = false;
    }
  }

  /** Ends and takes the line away. */
  @Override
  public void close() {
    ticker.shutdownNow();
    clear();
  }

  private void keepDrawing() {
    if (ticks == null) {
      ticks =
          ticker.scheduleAtFixedRate(
              this::draw, REDRAW.toMillis(), REDRAW.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void draw() {
    if (!ticker.isShutdown()) {
      terminal.err().print(CLEAR + line().live(terminal.width()));
      terminal.err().flush();
      shown = true;
    }
  }

  private void print() {
    terminal.err().println(line().plain());
    printed = nanoTime.getAsLong();
  }

  private ProgressLine line() {
    Duration elapsed = Duration.ofNanos(nanoTime.getAsLong() - began);
    return new ProgressLine(what, done, total, before, elapsed);
  }

  private Duration sincePrinted() {
    return Duration.ofNanos(nanoTime.getAsLong() - printed);
  }
}
