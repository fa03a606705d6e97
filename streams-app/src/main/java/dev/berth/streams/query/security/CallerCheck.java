package dev.berth.streams.query.security;

import dev.berth.streams.query.Caller;
import dev.berth.streams.query.Caller.Role;
import dev.berth.streams.query.UnavailableException;
import dev.berth.streams.query.session.SessionCookie;
import dev.berth.streams.query.session.Sessions;
import dev.berth.streams.query.session.Tokens;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a call pass whose caller is known and has the role that {@link Permissions} asks for, and
 * puts the caller into its context. A token says who calls; without one the client certificate
 * does. Namespaces are checked by who answers.
 */
final class CallerCheck implements ServerInterceptor {
  /** Where the token is: {@code authorization: Bearer TOKEN} (RFC 6750). */
  static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final Logger LOG = LoggerFactory.getLogger(CallerCheck.class);
  private static final String SCHEME = "Bearer ";

  /** Whoever makes a call that needs no caller: nobody, who may nothing else. */
  private static final Caller NOBODY = new Caller("nobody", Set.of(), Set.of());

  private final Supplier<Callers> callers;
  private final Sessions sessions;

  CallerCheck(Supplier<Callers> callers, Sessions sessions) {
    this.callers = callers;
    this.sessions = sessions;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (Permissions.isOpen(call.getMethodDescriptor())) {
      return Contexts.interceptCall(
          Context.current().withValue(Caller.KEY, NOBODY),
          call,
          headers,
          (passed, sent) -> SessionCookie.answering(passed, sent, next));
    }
    try {
      return intercept(identify(call, headers), call, headers, next);
    } catch (UnavailableException e) {
      StatusRuntimeException failure = e.toStatus();
      Metadata trailers = failure.getTrailers();
      call.close(failure.getStatus(), trailers == null ? new Metadata() : trailers);
      return new ServerCall.Listener<>() {};
    }
  }

  private static <Q, R> ServerCall.Listener<Q> intercept(
      Known known, ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (known.caller().isEmpty()) {
      LOG.debug("api refused call={} reason={}", name(call), known.problem());
      return refuse(call, Status.UNAUTHENTICATED.withDescription(known.problem()));
    }
    Caller caller = known.caller().get();
    Optional<Status> denied =
        denied(Permissions.call(call.getMethodDescriptor()), caller, name(call));
    if (denied.isPresent()) {
      return refuse(call, denied.get());
    }
    if (known.session().isPresent() && Permissions.refusesSessions(call.getMethodDescriptor())) {
      return refuse(
          call,
          Status.PERMISSION_DENIED.withDescription(
              name(call) + " is for who has a token or a certificate, not for a session"));
    }
    BooleanSupplier still = () -> known.again().get().filter(caller::equals).isPresent();
    Context context = Context.current().withValues(Caller.KEY, caller, Caller.STILL, still);
    return Contexts.interceptCall(
        known.session().isEmpty()
            ? context
            : context.withValue(Sessions.CURRENT, known.session().get()),
        call,
        headers,
        (passed, sent) -> new CommandRoleCheck<>(passed, caller, next.startCall(passed, sent)));
  }

  /**
   * Who calls, or why nobody knows.
   *
   * @param caller who calls
   * @param problem why nobody knows, and the remedy
   * @param session hash of the session that says so; empty where something else does
   * @param again who that is later
   */
  private record Known(
      Optional<Caller> caller,
      String problem,
      Optional<String> session,
      Supplier<Optional<Caller>> again) {

    static Known nobody(String problem) {
      return new Known(Optional.empty(), problem, Optional.empty(), Optional::empty);
    }

    static Known as(Supplier<Optional<Caller>> who, String problem) {
      return new Known(who.get(), problem, Optional.empty(), who);
    }
  }

  private Known identify(ServerCall<?, ?> call, Metadata headers) {
    String sent = headers.get(AUTHORIZATION);
    if (sent != null) {
      // What was sent is never repeated, whatever is wrong with it.
      return sent.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
          ? byToken(sent.substring(SCHEME.length()).strip())
          : Known.nobody("the header authorization is not understood: send Bearer TOKEN");
    }
    Optional<String> cookie = SessionCookie.in(headers);
    if (cookie.isPresent()) {
      return bySession(cookie.get());
    }
    Optional<String> subject = commonName(call);
    return subject.isEmpty()
        ? Known.nobody("nothing says who calls: send the header authorization: Bearer TOKEN")
        : Known.as(
            () -> callers.get().byCertificate(subject.get()),
            "the client certificate of CN=%s is not that of a caller in the file of %s"
                .formatted(subject.get(), SecurityConfig.TOKENS));
  }

  private Known byToken(String token) {
    return Sessions.isSession(token)
        ? bySession(token)
        : Known.as(
            () -> callers.get().byToken(token),
            "the bearer token is not known; use one whose SHA-256 stands in the file of "
                + SecurityConfig.TOKENS);
  }

  private Known bySession(String token) {
    return new Known(
        sessions.caller(token),
        "the session is not known, has ended, or its caller is withdrawn; open another one: berth"
            + " session open",
        Optional.of(Tokens.hash(token)),
        () -> sessions.known(token));
  }

  static Optional<Status> denied(Optional<Role> needed, Caller caller, String what) {
    if (needed.isPresent() && caller.roles().contains(needed.get())) {
      return Optional.empty();
    }
    LOG.info(
        "api denied call={} caller={} needs={}", what, caller.name(), needed.map(Callers::word));
    return Optional.of(
        Status.PERMISSION_DENIED.withDescription(
            needed.isEmpty()
                ? what + " is offered to nobody"
                : "%s needs the role %s, which %s does not have"
                    .formatted(what, Callers.word(needed.get()), caller.name())));
  }

  private static <Q, R> ServerCall.Listener<Q> refuse(ServerCall<Q, R> call, Status status) {
    call.close(status, new Metadata());
    return new ServerCall.Listener<>() {};
  }

  private static String name(ServerCall<?, ?> call) {
    return String.valueOf(call.getMethodDescriptor().getBareMethodName());
  }

  /** The common name of the certificate that the client has shown, which TLS has verified. */
  private static Optional<String> commonName(ServerCall<?, ?> call) {
    SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    if (session == null) {
      return Optional.empty();
    }
    try {
      Certificate[] shown = session.getPeerCertificates();
      return shown.length > 0 && shown[0] instanceof X509Certificate certificate
          ? commonName(certificate.getSubjectX500Principal().getName())
          : Optional.empty();
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> commonName(String subject) {
    try {
      return new LdapName(subject)
          .getRdns().stream()
              .filter(part -> part.getType().equalsIgnoreCase("CN"))
              .map(Rdn::getValue)
              .filter(String.class::isInstance)
              .map(String.class::cast)
              // The most specific part comes last.
              .reduce((general, specific) -> specific);
    } catch (InvalidNameException e) {
      return Optional.empty();
    }
  }
}
