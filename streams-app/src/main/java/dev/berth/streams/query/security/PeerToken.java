package dev.berth.streams.query.security;

import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.kafka.common.config.ConfigTransformer;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.apache.kafka.common.config.provider.DirectoryConfigProvider;
import org.apache.kafka.common.config.provider.EnvVarConfigProvider;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * The token that this instance shows the others, looked up through Kafka's config providers with
 * each call: a token that was replaced is used without a restart.
 */
final class PeerToken extends CallCredentials {
  private static final String ONE = "token";

  private final String reference;
  private final ConfigTransformer providers;

  /** Prepares; nothing is looked up. */
  PeerToken(String reference) {
    this.reference = reference;
    this.providers =
        new ConfigTransformer(
            Map.of(
                "file", configured(new FileConfigProvider()),
                "dir", configured(new DirectoryConfigProvider()),
                "env", configured(new EnvVarConfigProvider())));
  }

  private static ConfigProvider configured(ConfigProvider provider) {
    provider.configure(Map.of());
    return provider;
  }

  /**
   * The token.
   *
   * @throws IllegalArgumentException naming setting, reference and remedy when there is none
   */
  String token() {
    String token;
    try {
      token = providers.transform(Map.of(ONE, reference)).data().get(ONE);
    } catch (RuntimeException e) {
      // What a provider says of its store is not ours to publish.
      throw missing("it cannot be read (" + e.getClass().getSimpleName() + ")", e);
    }
    if (token == null || token.isBlank() || token.equals(reference)) {
      throw missing("it leads to nothing", null);
    }
    return token.strip();
  }

  private IllegalArgumentException missing(String what, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "%s=%s: %s; the providers are file, dir and env, for example ${file:/path:key}"
            .formatted(SecurityConfig.PEER_TOKEN, reference, what),
        cause);
  }

  @Override
  public void applyRequestMetadata(RequestInfo call, Executor executor, MetadataApplier applier) {
    executor.execute(
        () -> {
          try {
            Metadata headers = new Metadata();
            headers.put(CallerCheck.AUTHORIZATION, "Bearer " + token());
            applier.apply(headers);
          } catch (IllegalArgumentException e) {
            applier.fail(Status.UNAUTHENTICATED.withDescription(e.getMessage()));
          }
        });
  }

  @Override
  public String toString() {
    return "PeerToken[" + reference + "]";
  }
}
