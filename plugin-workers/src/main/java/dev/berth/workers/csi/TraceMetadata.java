package dev.berth.workers.csi;

import dev.berth.schemas.headers.Trace;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;

/** Tells a plugin the trace that a call belongs to, as gRPC instrumentation reads it. */
final class TraceMetadata {
  private static final Metadata.Key<String> PARENT =
      Metadata.Key.of(Trace.PARENT, Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> STATE =
      Metadata.Key.of(Trace.STATE, Metadata.ASCII_STRING_MARSHALLER);

  private TraceMetadata() {}

  /** A channel whose calls belong to a trace. */
  static Channel on(Channel channel, Trace trace) {
    if (trace.isNone()) {
      return channel;
    }
    Metadata metadata = new Metadata();
    metadata.put(PARENT, trace.parent());
    if (!trace.state().isEmpty()) {
      metadata.put(STATE, trace.state());
    }
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
  }
}
