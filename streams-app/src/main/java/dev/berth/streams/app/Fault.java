package dev.berth.streams.app;

import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.registry.SchemaRefusedException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.TopologyException;
import org.jspecify.annotations.Nullable;

/** What a failure of a stream thread says about the next try. */
enum Fault {
  /** Something outside is away and comes back: the same record is read again. */
  OUTAGE("it is tried again; if it lasts, look at the brokers and the schema registry"),
  /** Somebody has to change something first. */
  NO_PERMISSION("give the application's user the access that schemas/TOPICS.md names"),
  /**
   * The group's leader does not see a topic. Its metadata can be old, when its process stood still
   * for a while: only the brokers can tell whether the topic is there.
   */
  TOPIC_MISSED("provision the topics and start again"),
  /** A topic is missing or has another layout. */
  TOPICS("provision the topics and start again"),
  /** The brokers or the registry refuse what this version writes. */
  INCOMPATIBLE("use versions of Berth, its schemas and the brokers that fit together"),
  /** The JVM itself cannot go on. */
  MACHINE("give the process more memory, or repair its installation"),
  /** Everything else: one record's bug must not stop the others. */
  UNKNOWN("report it with its stack trace");

  private final String remedy;

  Fault(String remedy) {
    this.remedy = remedy;
  }

  /** What would help, for people. */
  String remedy() {
    return remedy;
  }

  /** Whether no further try can succeed without somebody's help. */
  boolean fatal() {
    return this != OUTAGE && this != UNKNOWN;
  }

  /** The fault behind a failure: the first one recognized along its causes. */
  static Fault of(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
      Fault fault = direct(cause);
      if (fault != null) {
        return fault;
      }
    }
    return UNKNOWN;
  }

  private static @Nullable Fault direct(Throwable failure) {
    if (failure instanceof AuthenticationException || failure instanceof AuthorizationException) {
      return NO_PERMISSION;
    } else if (failure instanceof MissingSourceTopicException) {
      return TOPIC_MISSED;
    } else if (failure instanceof InvalidTopicException || failure instanceof TopologyException) {
      return TOPICS;
    } else if (failure instanceof SchemaRefusedException
        || failure instanceof UnsupportedVersionException
        || failure instanceof ConfigException) {
      return INCOMPATIBLE;
    } else if (failure instanceof RegistryUnavailableException
        || failure instanceof RetriableException) {
      return OUTAGE;
    } else if (failure instanceof Error) {
      return MACHINE;
    }
    return null;
  }
}
