package dev.berth.schemas.registry;

import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;

/** What an exception of Confluent's client says about the question that was asked. */
final class RegistryAnswers {

  private RegistryAnswers() {}

  /** A plain 404 may be a proxy or a wrong path; only the registry's own codes prove absence. */
  static boolean isUnknown(RestClientException e) {
    return e.getErrorCode() / 100 == 404;
  }

  static boolean isRefusedLogin(RestClientException e) {
    return e.getStatus() == 401 || e.getStatus() == 403;
  }

  /** The client says so of a schema whose type it has no parser for, and of nothing else. */
  static boolean isNotAvro(IOException e) {
    String message = e.getMessage();
    return e.getClass() == IOException.class
        && message != null
        && message.startsWith("Invalid schema");
  }
}
