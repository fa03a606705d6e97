package dev.berth.ops.scenario;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.helpers.MessageFormatter;

/**
 * What is logged while a scenario runs, whatever the levels are set to: of the product everything,
 * of libraries what is at least an information. Thread-safe.
 */
final class LogLines implements AutoCloseable {
  private static final ThreadLocal<@Nullable LogLines> OF_THREAD = new ThreadLocal<>();
  private static final List<LogLines> OF_PROCESS = new CopyOnWriteArrayList<>();
  private static final Listener LISTENER = new Listener();

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  private LogLines() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    synchronized (LISTENER) {
      // Whoever sets up logging anew drops it.
      if (!context.getTurboFilterList().contains(LISTENER)) {
        LISTENER.start();
        context.addTurboFilter(LISTENER);
      }
    }
  }

  /**
   * Listens to the calling thread: in virtual time a scenario has one, and others run beside it.
   */
  static LogLines ofThread() {
    LogLines lines = new LogLines();
    OF_THREAD.set(lines);
    return lines;
  }

  /** Listens to all threads: those of what runs live are its own. */
  static LogLines ofProcess() {
    LogLines lines = new LogLines();
    OF_PROCESS.add(lines);
    return lines;
  }

  Stream<String> all() {
    return lines.stream();
  }

  @Override
  public void close() {
    if (!OF_PROCESS.remove(this)) {
      OF_THREAD.remove();
    }
  }

  /** A filter sees every line before levels are looked at; an appender would see what passed. */
  private static final class Listener extends TurboFilter {
    @Override
    public FilterReply decide(
        @Nullable Marker marker,
        Logger logger,
        Level level,
        @Nullable String format,
        Object @Nullable [] values,
        @Nullable Throwable thrown) {
      LogLines ofThread = OF_THREAD.get();
      if ((ofThread != null || !OF_PROCESS.isEmpty())
          && format != null
          && (logger.getName().startsWith("dev.berth.") || level.isGreaterOrEqual(Level.INFO))) {
        String text = MessageFormatter.arrayFormat(format, values).getMessage();
        String line = logger.getName() + " " + text + (thrown == null ? "" : " " + causes(thrown));
        if (ofThread != null) {
          ofThread.lines.add(line);
        }
        OF_PROCESS.forEach(listening -> listening.lines.add(line));
      }
      return FilterReply.NEUTRAL;
    }

    private static String causes(Throwable thrown) {
      StringBuilder text = new StringBuilder();
      for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
        text.append(cause).append(' ');
      }
      return text.toString();
    }
  }
}
