package dev.berth.streams.query;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of an answer that one instance asks of another: it is answered from what the other has
 * itself, and never handed on, so that no loop can occur. It can only narrow what the caller sees.
 *
 * @param partitions partitions to answer for
 * @param standby whether a warm copy may answer
 * @param namespaces namespaces of the one who asked first
 */
record Scope(Set<Integer> partitions, boolean standby, Set<String> namespaces) {

  /** The scope of the call under way; nothing when a client asks. */
  private static final Context.Key<Scope> KEY = Context.key("berth-scope");

  private static final Metadata.Key<String> PARTITIONS = header("berth-local-partitions");
  private static final Metadata.Key<String> STANDBY = header("berth-local-standby");
  private static final Metadata.Key<String> NAMESPACES = header("berth-local-namespaces");

  /** Keeps copies. */
  Scope {
    partitions = Set.copyOf(partitions);
    namespaces = Set.copyOf(namespaces);
  }

  /** The scope of the call under way; null when a client asks. */
  static @Nullable Scope current() {
    return KEY.get();
  }

  /** Whether another instance asks. */
  static boolean isIn(Metadata headers) {
    return headers.containsKey(PARTITIONS);
  }

  /** As headers of a call to another instance. */
  Metadata headers() {
    Metadata headers = new Metadata();
    headers.put(
        PARTITIONS,
        new TreeSet<>(partitions).stream().map(String::valueOf).collect(Collectors.joining(",")));
    headers.put(STANDBY, Boolean.toString(standby));
    headers.put(
        NAMESPACES,
        new TreeSet<>(namespaces)
            .stream()
                .map(name -> URLEncoder.encode(name, StandardCharsets.UTF_8))
                .collect(Collectors.joining(",")));
    return headers;
  }

  /** Reads the headers of a call into its context. */
  static ServerInterceptor interceptor() {
    return new ServerInterceptor() {
      @Override
      public <Q, R> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (!isIn(headers)) {
          return next.startCall(call, headers);
        }
        try {
          Context context = Context.current().withValue(KEY, read(headers));
          return Contexts.interceptCall(context, call, headers, next);
        } catch (IllegalArgumentException e) {
          call.close(
              Status.INVALID_ARGUMENT.withDescription(
                  "headers berth-local-*: they are for Berth's own instances; leave them out"),
              new Metadata());
          return new ServerCall.Listener<>() {};
        }
      }
    };
  }

  private static Scope read(Metadata headers) {
    return new Scope(
        parts(headers, PARTITIONS).stream().map(Integer::valueOf).collect(Collectors.toSet()),
        Boolean.parseBoolean(headers.get(STANDBY)),
        parts(headers, NAMESPACES).stream()
            .map(name -> URLDecoder.decode(name, StandardCharsets.UTF_8))
            .collect(Collectors.toSet()));
  }

  private static Set<String> parts(Metadata headers, Metadata.Key<String> key) {
    String value = headers.get(key);
    return value == null || value.isEmpty()
        ? Set.of()
        : Arrays.stream(value.split(",", -1)).collect(Collectors.toSet());
  }

  private static Metadata.Key<String> header(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }
}
