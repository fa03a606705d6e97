package dev.berth.producers;

import java.util.List;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** What follows from a transaction that did not go through. */
enum WriteFailure {
  /** Unknown or passing: take a new producer and write the same again. */
  AGAIN,
  /** Another process has taken over; writing again would take it back from that one. */
  REPLACED,
  /** The cluster says no and would say so again. */
  REFUSED;

  private static final List<Class<? extends Exception>> FENCED =
      List.of(ProducerFencedException.class, InvalidProducerEpochException.class);

  private static final List<Class<? extends Exception>> NO =
      List.of(
          AuthenticationException.class,
          AuthorizationException.class,
          ConfigException.class,
          InvalidTopicException.class,
          RecordTooLargeException.class,
          UnsupportedVersionException.class);

  /**
   * Classifies a failure by its innermost meaning.
   *
   * @param failure what a producer threw
   * @param expired whether the transaction was open for as long as the broker allows. A broker
   *     fences the producer of an expired transaction too, with the same errors; a process that was
   *     stopped for a while must not take that for a successor
   */
  static WriteFailure of(Throwable failure, boolean expired) {
    if (isCausedBy(failure, FENCED)) {
      return expired ? AGAIN : REPLACED;
    }
    return isCausedBy(failure, NO) ? REFUSED : AGAIN;
  }

  private static boolean isCausedBy(Throwable failure, List<Class<? extends Exception>> types) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (isAny(cause, types)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAny(Throwable failure, List<Class<? extends Exception>> types) {
    return types.stream().anyMatch(type -> type.isInstance(failure));
  }
}
