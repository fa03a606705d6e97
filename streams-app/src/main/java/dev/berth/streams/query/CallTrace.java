package dev.berth.streams.query;

import dev.berth.schemas.headers.Trace;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Objects;

/** The trace that a call of the API belongs to; a command hands it on. */
final class CallTrace {
  private static final Context.Key<Trace> KEY = Context.key("berth-trace");

  private CallTrace() {}

  /** That of the call in hand; none where it says none. */
  static Trace current() {
    return Objects.requireNonNullElse(KEY.get(), Trace.NONE);
  }

  /** Reads it into the context of each call. */
  static ServerInterceptor interceptor() {
    return new ServerInterceptor() {
      @Override
      public <Q, R> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Trace trace = Trace.of(header(headers, Trace.PARENT), header(headers, Trace.STATE));
        return trace.isNone()
            ? next.startCall(call, headers)
            : Contexts.interceptCall(Context.current().withValue(KEY, trace), call, headers, next);
      }
    };
  }

  private static String header(Metadata headers, String key) {
    String value = headers.get(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER));
    return Objects.requireNonNullElse(value, "");
  }
}
