package dev.berth.streams.query;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.state.HostInfo;

/** The other instances, by the addresses that they advertise. Safe for use by many threads. */
final class Peers implements AutoCloseable {
  /** An instance that takes longer to read a page is as good as gone. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Pages are cut at about 3 MB; one row more can make them larger. */
  private static final int LARGEST_ANSWER = 64 * 1024 * 1024;

  private final ApiSecurity security;
  private final Map<HostInfo, ManagedChannel> channels = new ConcurrentHashMap<>();

  Peers(ApiSecurity security) {
    this.security = security;
  }

  /** Asks one for its part. The deadline of the call under way holds for it too. */
  <Q extends Message, R extends Message> ListenableFuture<R> ask(
      HostInfo host, MethodDescriptor<Q, R> method, Q request, Scope scope) {
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    if (security.peerCalls() != null) {
      options = options.withCallCredentials(security.peerCalls());
    }
    Channel channel =
        ClientInterceptors.intercept(
            channels.computeIfAbsent(host, this::connect),
            MetadataUtils.newAttachHeadersInterceptor(scope.headers()));
    return ClientCalls.futureUnaryCall(channel.newCall(method, options), request);
  }

  private ManagedChannel connect(HostInfo host) {
    return Grpc.newChannelBuilderForAddress(host.host(), host.port(), security.peer())
        .maxInboundMessageSize(LARGEST_ANSWER)
        .build();
  }

  @Override
  public void close() {
    channels.values().forEach(ManagedChannel::shutdownNow);
  }
}
