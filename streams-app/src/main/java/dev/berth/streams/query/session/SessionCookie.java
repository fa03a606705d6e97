package dev.berth.streams.query.session;

import dev.berth.proto.api.RedeemSessionRequest;
import dev.berth.proto.api.RedeemSessionResponse;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The session as a cookie of a browser, so that no script ever has it. A gRPC-Web proxy hands the
 * headers of calls and answers on as they are; {@code berth session serve} sets it itself.
 */
public final class SessionCookie {
  /**
   * A browser takes this beginning from a secure origin only, for the origin alone (RFC 6265bis).
   */
  static final String NAME = "__Host-berth-session";

  private static final Metadata.Key<String> COOKIE =
      Metadata.Key.of("cookie", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> SET_COOKIE =
      Metadata.Key.of("set-cookie", Metadata.ASCII_STRING_MARSHALLER);

  private SessionCookie() {}

  /** What a browser is told to forget its session with: the header {@code set-cookie}. */
  public static final String NONE = cookie("", Duration.ZERO);

  /** What gives a session to a browser: the header {@code set-cookie}. */
  public static String of(String session) {
    return cookie(session, Sessions.SESSION_TIME);
  }

  private static String cookie(String value, Duration lasts) {
    return "%s=%s; Max-Age=%d; Path=/; HttpOnly; Secure; SameSite=Strict"
        .formatted(NAME, value, lasts.toSeconds());
  }

  /** The session among the cookies of a call. */
  public static Optional<String> in(Metadata headers) {
    Iterable<String> sent = headers.getAll(COOKIE);
    return sent == null ? Optional.empty() : among(sent);
  }

  /**
   * The session among the cookies of a browser.
   *
   * @param sent headers {@code cookie}
   */
  public static Optional<String> among(Iterable<String> sent) {
    return StreamSupport.stream(sent.spliterator(), false)
        .flatMap(header -> Arrays.stream(header.split(";", -1)))
        .map(String::strip)
        .filter(cookie -> cookie.startsWith(NAME + "="))
        .map(cookie -> cookie.substring(NAME.length() + 1))
        .findFirst();
  }

  /** Answers a redemption with a cookie in place of the session, where that is asked for. */
  public static <Q, R> ServerCall.Listener<Q> answering(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Answer<Q, R> answer = new Answer<>(call);
    return new SimpleForwardingServerCallListener<>(next.startCall(answer, headers)) {
      @Override
      public void onMessage(Q message) {
        answer.wanted = message instanceof RedeemSessionRequest request && request.getCookie();
        super.onMessage(message);
      }
    };
  }

  /** Headers go before the message that decides them, so they are held until it comes. */
  private static final class Answer<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private volatile boolean wanted;
    private @Nullable Metadata held;

    Answer(ServerCall<Q, R> call) {
      super(call);
    }

    @Override
    public void sendHeaders(Metadata headers) {
      if (wanted) {
        held = headers;
      } else {
        super.sendHeaders(headers);
      }
    }

    @Override
    @SuppressWarnings("unchecked")
    public void sendMessage(R message) {
      if (!wanted || !(message instanceof RedeemSessionResponse response)) {
        super.sendMessage(message);
        return;
      }
      Metadata headers = held == null ? new Metadata() : held;
      headers.put(SET_COOKIE, of(response.getSession()));
      super.sendHeaders(headers);
      // The same type: it is the answer of that one method.
      super.sendMessage((R) response.toBuilder().clearSession().build());
    }
  }
}
