package dev.berth.streams.query.security;

import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.ListVolumesRequest;
import dev.berth.streams.query.ApiConfig;
import dev.berth.streams.query.ApiSecurity;
import dev.berth.streams.query.ApiServer;
import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A secured API that has nothing to read: a call that is let pass is told that it starts. */
final class Secured implements AutoCloseable {
  private static final ApiConfig ANY_PORT =
      new ApiConfig(new ApiConfig.Address("127.0.0.1", 0), Optional.empty());

  private final ApiSecurity security;
  private final ApiServer server;

  Secured(SecurityConfig config) {
    this.security = ConfiguredSecurity.of(config, ANY_PORT, Clock.systemUTC());
    this.server = new ApiServer(ANY_PORT, security);
  }

  ApiSecurity security() {
    return security;
  }

  ManagedChannel channel() {
    return channel(InsecureChannelCredentials.create());
  }

  ManagedChannel channel(ChannelCredentials credentials) {
    return Grpc.newChannelBuilder(server.address(), credentials).build();
  }

  /** The answer to a call, which is never a good one, with the header when one is given. */
  static <Q, R> Status call(
      ManagedChannel channel,
      MethodDescriptor<Q, R> method,
      Q request,
      @Nullable String authorization) {
    Metadata headers = new Metadata();
    if (authorization != null) {
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), authorization);
    }
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS);
    try {
      ClientCalls.blockingServerStreamingCall(
              ClientInterceptors.intercept(
                  channel, MetadataUtils.newAttachHeadersInterceptor(headers)),
              method,
              options,
              request)
          .next();
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  /**
   * Whether that is the answer to a call that was let pass, and not that of a broken connection.
   */
  static boolean passed(Status status) {
    return status.getCode() == Status.Code.INVALID_ARGUMENT
        || String.valueOf(status.getDescription()).contains(" starts; try again in ");
  }

  /** The answer to a list of volumes. */
  static Status list(ManagedChannel channel, @Nullable String authorization) {
    return call(
        channel,
        BerthGrpc.getListVolumesMethod(),
        ListVolumesRequest.getDefaultInstance(),
        authorization);
  }

  /** The lines of a caller. */
  static String caller(String name, String token, String role, String namespaces) {
    return "%1$s.token=%2$s\n%1$s.roles=%3$s\n%1$s.namespaces=%4$s\n"
        .formatted(name, hash(token), role, namespaces);
  }

  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
