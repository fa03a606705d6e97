package dev.berth.ops.scenario;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.helpers.MessageFormatter;

/**
 * What is logged on the thread of a scenario, whatever the levels are set to: of the product
 * everything, of libraries what is at least an information. A scenario runs on one thread, and
 * others run beside it on theirs.
 */
final class LogLines implements AutoCloseable {
  private static final ThreadLocal<@Nullable List<String>> LINES = new ThreadLocal<>();

  static {
    Listener listener = new Listener();
    ((LoggerContext) LoggerFactory.getILoggerFactory()).addTurboFilter(listener);
    listener.start();
  }

  private final List<String> lines = new ArrayList<>();

  /** Begins to listen to the calling thread. */
  LogLines() {
    LINES.set(lines);
  }

  Stream<String> all() {
    return lines.stream();
  }

  @Override
  public void close() {
    LINES.remove();
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
      List<String> lines = LINES.get();
      if (lines != null
          && format != null
          && (logger.getName().startsWith("dev.berth.") || level.isGreaterOrEqual(Level.INFO))) {
        String text = MessageFormatter.arrayFormat(format, values).getMessage();
        lines.add(logger.getName() + " " + text + (thrown == null ? "" : " " + causes(thrown)));
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
