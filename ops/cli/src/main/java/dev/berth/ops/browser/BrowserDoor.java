package dev.berth.ops.browser;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Message;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.ops.api.ApiClient;
import dev.berth.ops.api.ApiFailedException;
import dev.berth.ops.api.Listed;
import dev.berth.ops.api.Reads;
import dev.berth.ops.view.MessageJson;
import dev.berth.proto.api.CloseSessionRequest;
import dev.berth.proto.api.RedeemSessionRequest;
import dev.berth.proto.api.RedeemSessionResponse;
import dev.berth.streams.query.security.BearerToken;
import dev.berth.streams.query.session.SessionCookie;
import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP for a browser: {@code POST /session} gives a session for a one-time token, as a cookie that
 * no script can read; {@code GET /v1/LIST} is a list of the API as JSON, for who has one; {@code
 * POST /session/close} ends it. Beyond the loopback it is HTTPS ({@link DoorPlace}).
 *
 * <p>It has no rights: each call is made with the browser's session, or, to redeem a token, with
 * nothing. What the session may is the API's to decide. Neither tokens nor sessions are logged.
 */
public final class BrowserDoor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BrowserDoor.class);
  private static final int THREADS = 8;
  private static final int MOST_WRONG = 10;
  private static final Duration WRONG_WITHIN = Duration.ofMinutes(1);
  private static final String LISTS = "/v1/";

  /** Nothing of it is kept, framed, guessed or told to others; pages have no scripts. */
  private static final Map<String, String> ALWAYS =
      Map.of(
          "Cache-Control",
          "no-store",
          "Content-Security-Policy",
          "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
          "Referrer-Policy",
          "no-referrer",
          "X-Content-Type-Options",
          "nosniff");

  private final ApiClient api;
  private final DoorPlace place;
  private final WrongTokens wrong;
  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS,
          task -> {
            Thread thread = new Thread(task, "browser");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Listens.
   *
   * @param place where, and how
   * @param api calls the API without any credentials of its own; stays the caller's
   * @param clock tells how often tokens were wrong
   * @throws UncheckedIOException if the place cannot be had
   */
  public BrowserDoor(DoorPlace place, ApiClient api, InstantSource clock) {
    this.place = place;
    this.api = api;
    this.wrong = new WrongTokens(MOST_WRONG, WRONG_WITHIN, clock);
    try {
      server = place.server();
    } catch (IOException e) {
      threads.shutdownNow();
      throw new UncheckedIOException("%s cannot be listened on".formatted(place.address()), e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  /** Where it is, for a browser. */
  public String url() {
    return place.url(server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      send(exchange, reply(exchange));
    }
  }

  private Reply reply(HttpExchange exchange) throws IOException {
    try {
      Requests.requireOwn(exchange, place.names());
      return answer(exchange);
    } catch (RefusedException e) {
      return e.reply();
    } catch (ApiFailedException e) {
      return failed(e);
    } catch (RuntimeException e) {
      LOG.error("a request of a browser failed path={}", exchange.getRequestURI().getPath(), e);
      return Reply.error(500, "the request failed; the log of this command says more");
    }
  }

  private Reply answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    return switch (exchange.getRequestMethod() + " " + path) {
      case "GET /" -> new Reply(200, "text/html; charset=utf-8", page(), Map.of());
      case "POST /session" -> redeem(Requests.form(exchange).getOrDefault("token", ""));
      case "POST /session/close" -> end(session(exchange));
      default -> {
        if (!path.startsWith(LISTS)) {
          throw new RefusedException(404, "there is nothing here; look at /");
        }
        if (!exchange.getRequestMethod().equals("GET")) {
          throw new RefusedException(405, "lists are read, with GET");
        }
        yield list(path.substring(LISTS.length()), exchange);
      }
    };
  }

  private Reply redeem(String token) {
    Optional<Duration> closed = wrong.closedFor();
    if (closed.isPresent()) {
      return Reply.error(429, "too many tokens were wrong; try again later")
          .with(Map.of("Retry-After", Long.toString(closed.get().toSeconds() + 1)));
    }
    RedeemSessionResponse opened;
    try {
      opened =
          api.ask(
              stub ->
                  stub.redeemSession(
                      RedeemSessionRequest.newBuilder().setOneTimeToken(token).build()));
    } catch (ApiFailedException e) {
      if (e.code() != Status.Code.UNAUTHENTICATED) {
        throw e;
      }
      wrong.add();
      throw new RefusedException(
          401,
          "the one-time token is not known, was used or has expired; get another one: berth session"
              + " open");
    }
    LOG.info("session opened caller={}", opened.getCaller());
    ObjectNode told = MessageJson.of(opened);
    told.remove("session");
    return Reply.json(303, told)
        .with(Map.of("Location", "/", "Set-Cookie", SessionCookie.of(opened.getSession())));
  }

  private Reply end(String session) {
    as(session).ask(stub -> stub.closeSession(CloseSessionRequest.getDefaultInstance()));
    return Reply.json(303, JsonNodeFactory.instance.objectNode())
        .with(Map.of("Location", "/", "Set-Cookie", SessionCookie.NONE));
  }

  private Reply list(String name, HttpExchange exchange) {
    Reads reads = new Reads(as(session(exchange)), true);
    Listed<? extends Message> listed = BrowserLists.read(name, reads, Requests.query(exchange));
    ObjectNode told = JsonNodeFactory.instance.objectNode();
    told.set("entries", MessageJson.list(listed.entries()));
    listed.missing().forEach(told.putArray("missing")::add);
    return Reply.json(200, told.put("standby", listed.standby()));
  }

  private ApiClient as(String session) {
    return api.as(BearerToken.given("the cookie", session));
  }

  private static String session(HttpExchange exchange) {
    return SessionCookie.among(exchange.getRequestHeaders().getOrDefault("Cookie", List.of()))
        .filter(session -> !session.isBlank())
        .orElseThrow(
            () ->
                new RefusedException(
                    401, "there is no session: get a one-time token (berth session open), then /"));
  }

  private static Reply failed(ApiFailedException e) {
    return switch (e.code()) {
      case UNAUTHENTICATED ->
          Reply.error(
              401, "the session is not known or has ended; open another one: berth session open");
      case PERMISSION_DENIED -> Reply.error(403, String.valueOf(e.getMessage()));
      case INVALID_ARGUMENT, FAILED_PRECONDITION ->
          Reply.error(400, String.valueOf(e.getMessage()));
      case NOT_FOUND -> Reply.error(404, String.valueOf(e.getMessage()));
      case RESOURCE_EXHAUSTED -> Reply.error(429, String.valueOf(e.getMessage()));
      case UNAVAILABLE, DEADLINE_EXCEEDED -> Reply.error(503, String.valueOf(e.getMessage()));
      default -> Reply.error(502, String.valueOf(e.getMessage()));
    };
  }

  private static String page() {
    String links =
        BrowserLists.names().stream()
            .map(name -> "<li><a href=\"%s%s\">%s</a></li>".formatted(LISTS, name, name))
            .collect(Collectors.joining("\n"));
    return """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <title>Berth</title>
    <h1>Berth</h1>
    <form method="post" action="/session">
    <label>One-time token, of <code>berth session open</code>:
    <input name="token" type="password" autocomplete="off" required></label>
    <button>Open a session</button>
    </form>
    <ul>
    %s
    </ul>
    <form method="post" action="/session/close"><button>Close the session</button></form>
    </html>
    """
        .formatted(links);
  }

  private static void send(HttpExchange exchange, Reply reply) throws IOException {
    byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
    ALWAYS.forEach(exchange.getResponseHeaders()::set);
    reply.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.getResponseHeaders().set("Content-Type", reply.type());
    exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }
}
