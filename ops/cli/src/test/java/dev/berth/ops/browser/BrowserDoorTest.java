package dev.berth.ops.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.embedded.tls.Certificates;
import dev.berth.ops.api.ApiClient;
import dev.berth.ops.api.ApiTarget;
import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.CloseSessionRequest;
import dev.berth.proto.api.CloseSessionResponse;
import dev.berth.proto.api.ListStuckRequest;
import dev.berth.proto.api.ListStuckResponse;
import dev.berth.proto.api.RedeemSessionRequest;
import dev.berth.proto.api.RedeemSessionResponse;
import dev.berth.proto.api.Stuck;
import dev.berth.streams.query.ApiConfig.Address;
import dev.berth.streams.query.security.PemFiles;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The door for a browser")
class BrowserDoorTest {
  private static final Context.Key<String> SHOWN = Context.keyWithDefault("shown", "nothing");
  private static final String COOKIE = "__Host-berth-session=s.good";

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-03-01T10:00:00Z"));
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private Server server;
  private ApiClient client;
  private BrowserDoor door;
  private Browser browser;

  @BeforeEach
  void open() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(new Instance(asked))
            .intercept(new Shown())
            .build()
            .start();
    client =
        ApiClient.to(
            ApiTarget.plain(new Address("127.0.0.1", server.getPort())),
            Duration.ofSeconds(10),
            step -> {},
            time -> {});
    door =
        new BrowserDoor(
            DoorPlace.of("127.0.0.1", 0, List.of("Console.example"), Optional.empty()),
            client,
            now::get);
    browser = Browser.at(door.url());
  }

  @AfterEach
  void close() {
    door.close();
    client.close();
    server.shutdownNow();
  }

  @Test
  @DisplayName("gives a session for a one-time token, as a cookie and in nothing else")
  void redeems() throws IOException {
    Browser.Answer answer = post("/session", "token=o.good", "Origin: " + browser.origin());

    assertThat(answer.status()).isEqualTo(303);
    assertThat(answer.header("location")).isEqualTo("/");
    assertThat(answer.header("set-cookie"))
        .isEqualTo(
            "__Host-berth-session=s.good; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Strict");
    assertThat(answer.body()).isEqualTo("{\"caller\":\"ann\"}\n");
    assertThat(asked).containsExactly("redeem by nothing");
  }

  @Test
  @DisplayName("shows lists to the session alone, as JSON, filtered by their fields")
  void lists() throws IOException {
    Browser.Answer answer = get("/v1/stuck?plugin=ebs&code=timeout", "Cookie: a=b; " + COOKIE);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-type")).isEqualTo("application/json");
    assertThat(answer.body())
        .startsWith("{\"entries\":[{")
        .contains("\"code\":\"timeout\"")
        .endsWith("\"missing\":[],\"standby\":false}\n");
    assertThat(asked).containsExactly("stuck of ebs timeout by Bearer s.good");
    assertThat(get("/v1/stuck").status()).isEqualTo(401);
    assertThat(get("/v1/stuck", "Cookie: __Host-berth-session=").status()).isEqualTo(401);
    assertThat(get("/v1/stuck", "Cookie: __Host-berth-session=s.other").status()).isEqualTo(401);
  }

  @Test
  @DisplayName("ends the session, and tells the browser to forget it")
  void ends() throws IOException {
    Browser.Answer answer = post("/session/close", "", "Cookie: " + COOKIE);

    assertThat(answer.status()).isEqualTo(303);
    assertThat(answer.header("set-cookie"))
        .isEqualTo("__Host-berth-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict");
    assertThat(asked).containsExactly("close by Bearer s.good");
  }

  @Test
  @DisplayName("takes no more tokens for a while after ten that were none, also no good one")
  void wrongTokens() throws IOException {
    for (int i = 0; i < 10; i++) {
      Browser.Answer wrong = post("/session", "token=o.wrong");
      assertThat(wrong.status()).isEqualTo(401);
      assertThat(wrong.body()).doesNotContain("o.wrong");
      now.updateAndGet(time -> time.plusSeconds(1));
    }

    Browser.Answer closed = post("/session", "token=o.good");
    assertThat(closed.status()).isEqualTo(429);
    assertThat(closed.header("retry-after")).isEqualTo("51");
    assertThat(asked).hasSize(10);

    now.updateAndGet(time -> time.plusSeconds(50));
    assertThat(post("/session", "token=o.good").status()).isEqualTo(303);
  }

  @ParameterizedTest(name = "{0} {1} is {2}")
  @DisplayName("refuses what it does not have")
  @CsvSource({
    "GET, /v1/secrets, 404",
    "GET, /v1/stuck?page_token=x, 400",
    "GET, /v1/stuck?colour=red, 400",
    "POST, /v1/stuck, 405",
    "GET, /session, 404",
    "GET, /other, 404",
  })
  void unknown(String method, String path, int status) throws IOException {
    assertThat(browser.send(method, path, "", "Cookie: " + COOKIE).status()).isEqualTo(status);
    assertThat(asked).isEmpty();
  }

  @Test
  @DisplayName("refuses what a page of somebody else sends, and what goes by another name")
  void others() throws IOException {
    assertThat(post("/session", "token=o.good", "Origin: https://evil.example").status())
        .isEqualTo(403);
    assertThat(post("/session", "token=o.good", "Origin: null").status()).isEqualTo(403);
    assertThat(
            browser.raw("GET", "/v1/stuck", "", "Host: evil.example", "Cookie: " + COOKIE).status())
        .isEqualTo(421);
    assertThat(asked).isEmpty();

    assertThat(
            browser
                .raw("GET", "/v1/stuck", "", "Host: console.example", "Cookie: " + COOKIE)
                .status())
        .isEqualTo(200);
  }

  @Test
  @DisplayName("has one page, without scripts, that is kept nowhere and lets no other origin in")
  void page() throws IOException {
    Browser.Answer page = get("/");

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.body())
        .contains("action=\"/session\"", "href=\"/v1/stuck\"")
        .doesNotContain("<script");
    assertThat(page.header("cache-control")).isEqualTo("no-store");
    assertThat(page.header("content-security-policy")).startsWith("default-src 'none'");
    assertThat(page.headers())
        .noneMatch(line -> line.toLowerCase(Locale.ROOT).startsWith("access-control"));
  }

  @Test
  @DisplayName("takes a token from a form alone, and no more than a form has")
  void forms() throws IOException {
    assertThat(
            browser
                .raw(
                    "POST",
                    "/session",
                    "{\"token\":\"o.good\"}",
                    "Host: " + browser.host(),
                    "Content-Type: application/json")
                .status())
        .isEqualTo(415);
    assertThat(post("/session", "token=" + "x".repeat(5_000)).status()).isEqualTo(413);
    assertThat(asked).isEmpty();
  }

  @Test
  @DisplayName("speaks TLS beyond the loopback, and does not open there without")
  void encrypted(@TempDir Path directory) throws IOException {
    Certificates shown = Certificates.make(directory, "door");
    PemFiles.Identity identity = new PemFiles.Identity(shown.cert(), shown.key());
    Optional<SSLContext> tls = Optional.of(PemFiles.server(identity, "--cert", "--key"));
    try (BrowserDoor wide =
        new BrowserDoor(DoorPlace.of("0.0.0.0", 0, List.of(), tls), client, now::get)) {
      Browser secure = Browser.trusting(wide.url().replace("0.0.0.0", "127.0.0.1"), shown.cert());

      assertThat(wide.url()).startsWith("https://");
      assertThat(secure.send("POST", "/session", "token=o.good", "Origin: " + secure.origin()))
          .extracting(Browser.Answer::status)
          .isEqualTo(303);
      assertThat(secure.send("GET", "/v1/stuck", "", "Cookie: " + COOKIE).status()).isEqualTo(200);
    }
    assertThatThrownBy(() -> DoorPlace.of("0.0.0.0", 0, List.of(), Optional.empty()))
        .hasMessageStartingWith("0.0.0.0: without TLS everybody on the way could read");
  }

  /** What an instance does with the calls. */
  private static final class Instance extends BerthGrpc.BerthImplBase {
    private final List<String> asked;

    Instance(List<String> asked) {
      this.asked = asked;
    }

    @Override
    public void redeemSession(
        RedeemSessionRequest request, StreamObserver<RedeemSessionResponse> to) {
      asked.add("redeem by " + SHOWN.get());
      if (request.getOneTimeToken().equals("o.good")) {
        to.onNext(RedeemSessionResponse.newBuilder().setSession("s.good").setCaller("ann").build());
        to.onCompleted();
      } else {
        to.onError(Status.UNAUTHENTICATED.withDescription("not known").asRuntimeException());
      }
    }

    @Override
    public void listStuck(ListStuckRequest request, StreamObserver<ListStuckResponse> to) {
      if (!SHOWN.get().equals("Bearer s.good")) {
        to.onError(Status.UNAUTHENTICATED.withDescription("not known").asRuntimeException());
        return;
      }
      asked.add(
          "stuck of %s %s by %s".formatted(request.getPlugin(), request.getCode(), SHOWN.get()));
      to.onNext(
          ListStuckResponse.newBuilder()
              .addStuck(Stuck.newBuilder().setCode(request.getCode()))
              .build());
      to.onCompleted();
    }

    @Override
    public void closeSession(CloseSessionRequest request, StreamObserver<CloseSessionResponse> to) {
      asked.add("close by " + SHOWN.get());
      to.onNext(CloseSessionResponse.newBuilder().setClosed(1).build());
      to.onCompleted();
    }
  }

  /** Keeps what is shown with a call. */
  private static final class Shown implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      String sent = headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
      return Contexts.interceptCall(
          Context.current().withValue(SHOWN, sent == null ? "nothing" : sent), call, headers, next);
    }
  }

  private Browser.Answer get(String path, String... headers) throws IOException {
    return browser.send("GET", path, "", headers);
  }

  private Browser.Answer post(String path, String form, String... headers) throws IOException {
    return browser.send("POST", path, form, headers);
  }
}
