package dev.berth.ops.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;

/**
 * Keeps out what Kafka warns of at every ordinary start and stop of an embedded stack, so that a
 * line in the log means something. By message, not by logger: the same loggers say what matters.
 */
final class OrdinaryWarnings extends Filter<ILoggingEvent> {

  /** Loggers, and the words by which to know the messages that are no news. */
  private static final Map<String, String> ORDINARY =
      Map.of(
          // Every new data directory is empty.
          "org.apache.kafka.controller.QuorumController",
          "Performing controller activation. The metadata log appears to be empty",
          // There is no global store, so no thread for one.
          "org.apache.kafka.streams.StreamsConfig",
          "Processing exception handler is not enabled for the GlobalThread",
          // The transaction before is still being completed; the producer tries again.
          "org.apache.kafka.clients.producer.internals.Sender",
          "Error: CONCURRENT_TRANSACTIONS",
          // The broker closes its own clients twice.
          "org.apache.kafka.clients.NetworkClient",
          "Attempting to close NetworkClient that has already been closed");

  @Override
  public FilterReply decide(ILoggingEvent event) {
    String words = ORDINARY.get(event.getLoggerName());
    return words != null && event.getFormattedMessage().contains(words)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
