package dev.berth.streams.query;

import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How callers are known, and how instances speak to each other.
 *
 * @param secured whether callers are known; without, only the loopback address is listened on
 * @param server how the API is offered
 * @param interceptors run before every call, the first one first; they refuse a call or put a
 *     {@link Caller} into its context
 * @param peer how this instance connects to others
 * @param peerCalls what it shows them with each call; null for nothing. They must know it as a
 *     caller who sees every namespace: the namespaces of the one who asked first travel beside it
 * @param sessions the sessions of those callers
 */
public record ApiSecurity(
    boolean secured,
    ServerCredentials server,
    List<ServerInterceptor> interceptors,
    ChannelCredentials peer,
    @Nullable CallCredentials peerCalls,
    SessionDesk sessions) {

  /** Everybody on this machine is known as {@link Caller#LOCAL}. */
  public static final ApiSecurity NONE =
      new ApiSecurity(
          false,
          InsecureServerCredentials.create(),
          List.of(),
          InsecureChannelCredentials.create(),
          null,
          SessionDesk.NONE);

  /** Keeps a copy. */
  public ApiSecurity {
    interceptors = List.copyOf(interceptors);
  }
}
