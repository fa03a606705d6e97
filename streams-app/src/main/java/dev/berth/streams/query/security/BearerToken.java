package dev.berth.streams.query.security;

import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.kafka.common.config.ConfigTransformer;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.apache.kafka.common.config.provider.DirectoryConfigProvider;
import org.apache.kafka.common.config.provider.EnvVarConfigProvider;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * A token that is shown to the API with each call. It is looked up each time, so that one that was
 * replaced is used without a restart, and it is in no text.
 */
public final class BearerToken extends CallCredentials {
  private static final String ONE = "token";

  private final String source;
  private final String remedy;
  private final Lookup lookup;

  private BearerToken(String source, String remedy, Lookup lookup) {
    this.source = source;
    this.remedy = remedy;
    this.lookup = lookup;
  }

  /** Where a token is looked up; null or blank when there is none. */
  @FunctionalInterface
  private interface Lookup {
    @Nullable String find() throws IOException;
  }

  /**
   * One that a reference leads to, through Kafka's config providers {@code file}, {@code dir} and
   * {@code env}. Nothing is looked up yet.
   *
   * @param setting key of the setting that has the reference
   * @param reference {@code ${provider:path:key}}
   */
  public static BearerToken reference(String setting, String reference) {
    ConfigTransformer providers =
        new ConfigTransformer(
            Map.of(
                "file", configured(new FileConfigProvider()),
                "dir", configured(new DirectoryConfigProvider()),
                "env", configured(new EnvVarConfigProvider())));
    return new BearerToken(
        setting + "=" + reference,
        "the providers are file, dir and env, for example ${file:/path:key}",
        () -> {
          String found = providers.transform(Map.of(ONE, reference)).data().get(ONE);
          return reference.equals(found) ? null : found;
        });
  }

  /**
   * One that a file holds and nothing else. Nothing is looked up yet.
   *
   * @param setting key of the setting that names the file
   */
  public static BearerToken file(String setting, Path file) {
    return new BearerToken(
        setting + "=" + file,
        "name a file that you can read and that holds the token alone",
        () -> Files.readString(file));
  }

  /**
   * One that is at hand.
   *
   * @param source where it is from, for complaints
   */
  public static BearerToken given(String source, String token) {
    return new BearerToken(source, "give the token", () -> token);
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
  public String token() {
    String token;
    try {
      token = lookup.find();
    } catch (IOException | RuntimeException e) {
      // What a provider says of its store is not ours to publish.
      throw missing("it cannot be read (" + e.getClass().getSimpleName() + ")", e);
    }
    if (token == null || token.isBlank()) {
      throw missing("it leads to nothing", null);
    }
    String stripped = token.strip();
    // A header cannot hold anything else.
    if (!stripped.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw missing("what is there is no token, which has no spaces and only ASCII", null);
    }
    return stripped;
  }

  private IllegalArgumentException missing(String what, @Nullable Exception cause) {
    return new IllegalArgumentException("%s: %s; %s".formatted(source, what, remedy), cause);
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
    return "BearerToken[" + source + "]";
  }
}
