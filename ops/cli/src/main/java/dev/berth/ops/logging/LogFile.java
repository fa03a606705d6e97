package dev.berth.ops.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Where this process logs to: nowhere at first, then a file. The terminal belongs to the command's
 * own output; what Kafka, Streams and gRPC say goes to the file only. A service has no output but
 * its log, which goes where its supervisor reads: to standard output.
 */
public final class LogFile {

  private static final String PATTERN =
      "%d{ISO8601} %-5level %-28.28thread %-36.36logger{35} %msg%n";
  private static final FileSize LARGEST = FileSize.valueOf("20MB");

  private LogFile() {}

  /** Says nothing anywhere; for commands that only print. */
  public static void silence() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  /**
   * Logs to a file from now on; one that has grown is put aside under {@code .1}.
   *
   * @param file made when missing, with its directory
   * @param verbose also what Berth says that is no warning
   */
  public static void open(Path file, boolean verbose) {
    silence();
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender(context, file));
    root.setLevel(Level.WARN);
    context.getLogger("dev.berth").setLevel(verbose ? Level.DEBUG : Level.WARN);
    // Warns for every plugin that a unix socket has no TCP keep-alive.
    context.getLogger("io.netty.bootstrap").setLevel(Level.ERROR);
  }

  /**
   * Logs to standard output from now on, for a service.
   *
   * @param verbose also what Berth says of each decision
   * @param format how lines are written
   */
  public static void toTerminal(boolean verbose, LogFormat format) {
    silence();
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("terminal");
    appender.setEncoder(format == LogFormat.JSON ? jsonLines(context) : encoder(context));
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    root.setLevel(Level.WARN);
    context.getLogger("dev.berth").setLevel(verbose ? Level.DEBUG : Level.INFO);
    context.getLogger("io.netty.bootstrap").setLevel(Level.ERROR);
  }

  private static JsonLines jsonLines(LoggerContext context) {
    JsonLines encoder = new JsonLines();
    encoder.setContext(context);
    encoder.start();
    return encoder;
  }

  private static PatternLayoutEncoder encoder(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(PATTERN);
    encoder.start();
    return encoder;
  }

  private static RollingFileAppender<ILoggingEvent> appender(LoggerContext context, Path file) {
    RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
    appender.setContext(context);
    appender.setName("file");
    appender.setFile(file.toString());
    appender.setEncoder(encoder(context));
    appender.setRollingPolicy(rolling(context, file, appender));
    appender.setTriggeringPolicy(trigger(context));
    OrdinaryWarnings ordinary = new OrdinaryWarnings();
    ordinary.start();
    appender.addFilter(ordinary);
    appender.start();
    return appender;
  }

  private static FixedWindowRollingPolicy rolling(
      LoggerContext context, Path file, RollingFileAppender<ILoggingEvent> parent) {
    FixedWindowRollingPolicy policy = new FixedWindowRollingPolicy();
    policy.setContext(context);
    policy.setParent(parent);
    policy.setFileNamePattern(file + ".%i");
    policy.setMinIndex(1);
    policy.setMaxIndex(1);
    policy.start();
    return policy;
  }

  private static SizeBasedTriggeringPolicy<ILoggingEvent> trigger(LoggerContext context) {
    SizeBasedTriggeringPolicy<ILoggingEvent> policy = new SizeBasedTriggeringPolicy<>();
    policy.setContext(context);
    policy.setMaxFileSize(LARGEST);
    policy.start();
    return policy;
  }
}
