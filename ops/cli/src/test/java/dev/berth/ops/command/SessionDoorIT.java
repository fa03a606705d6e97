package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.embedded.tls.Certificates;
import dev.berth.ops.browser.Browser;
import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.Author;
import dev.berth.producers.Commands;
import dev.berth.producers.Connection;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.streams.app.AppConfig;
import dev.berth.streams.app.BerthApp;
import dev.berth.streams.topology.BerthTopology;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An instance with mTLS and tokens, the command line of somebody whom it knows, {@code berth
 * session serve} as a process, and a browser.
 */
@DisplayName("The door in front of a secured instance")
class SessionDoorIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Pattern URL = Pattern.compile("Serves browsers at (\\S+)\n");

  /** The token is {@code ann}; this is its SHA-256. */
  private static final String CALLERS =
      """
      ann.token=49915e0d7d4b402e3017d010bc1c0e83cac6c797d6c16e66340fe3268693a6a1
      ann.roles=operate
      ann.namespaces=prod,batch
      """;

  @TempDir private static Path directory;
  private static Certificates berth;
  private static Certificates client;
  private static EmbeddedBroker broker;
  private static EmbeddedRegistry registry;
  private static BerthApp app;

  @BeforeAll
  static void start() throws Exception {
    berth = Certificates.make(directory, "berth");
    client = Certificates.make(directory, "client");
    Path callers = Files.writeString(directory.resolve("callers"), CALLERS);
    Files.writeString(directory.resolve("ann"), "ann\n");
    broker = EmbeddedBroker.start(directory.resolve("broker"));
    registry = EmbeddedRegistry.start(directory.resolve("registry"));
    Connection connection = Connection.to(broker.bootstrapServers(), registry.url());
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
        Registry schemas = Registry.connect(connection.registry())) {
      new Provisioning(connection.topics(), Layout.replicated(1), admin).run(schemas);
    }
    Map<String, String> settings = new TreeMap<>(connection.registry());
    settings.put("bootstrap.servers", broker.bootstrapServers());
    settings.put("state.dir", directory.resolve("state").toString());
    settings.put("replication.factor", "1");
    settings.put("standby.replicas", "0");
    settings.put("api.listen", "127.0.0.1:0");
    settings.put("api.tokens", callers.toString());
    settings.put("api.tls.certificate", berth.cert().toString());
    settings.put("api.tls.key", berth.key().toString());
    settings.put("api.tls.client-ca", client.cert().toString());
    app = new BerthApp(AppConfig.parse(settings), BerthTopology::build);
    app.start();
    assertThat(app.awaitRunning(PATIENCE)).as(app.state().text()).isTrue();
    try (Commands commands = Commands.start(connection)) {
      for (String namespace : List.of("prod", "batch")) {
        commands.registerVolume(volume(namespace), Author.of("test")).get(60, TimeUnit.SECONDS);
      }
    }
  }

  @AfterAll
  static void stop() {
    app.close();
    registry.close();
    broker.close();
  }

  @Test
  @DisplayName("gives a browser a session for the token of the command line, once and no more")
  void once() throws Exception {
    try (BerthProcess door = door()) {
      Browser browser = Browser.at(url(door));
      String token = oneTimeToken("--namespace", "prod");

      Browser.Answer opened = redeem(browser, token);

      assertThat(opened.status()).isEqualTo(303);
      assertThat(opened.header("set-cookie"))
          .startsWith("__Host-berth-session=s.")
          .endsWith("; Path=/; HttpOnly; Secure; SameSite=Strict");
      assertThat(opened.body()).contains("\"caller\":\"ann\"").doesNotContain("s.");
      String cookie = cookie(opened);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(browser.send("GET", "/v1/volumes", "", "Cookie: " + cookie).body())
                      .contains("\"namespace\":\"prod\"", "\"missing\":[]")
                      .doesNotContain("batch"));
      assertThat(redeem(browser, token).status()).as("a second time").isEqualTo(401);
      assertThat(browser.send("POST", "/session/close", "", "Cookie: " + cookie).status())
          .isEqualTo(303);
      assertThat(browser.send("GET", "/v1/volumes", "", "Cookie: " + cookie).status())
          .isEqualTo(401);
      assertThat(door.printed()).doesNotContain(token, cookie);
      assertThat(door.stop()).isEqualTo(ExitCode.OK);
    }
  }

  @Test
  @DisplayName("lets no page of others and no other name in, and wastes no token on them")
  void others() throws Exception {
    try (BerthProcess door = door()) {
      Browser browser = Browser.at(url(door));
      String token = oneTimeToken();
      String form = "Content-Type: application/x-www-form-urlencoded";

      assertThat(
              browser
                  .send("POST", "/session", "token=" + token, "Origin: https://evil.example")
                  .status())
          .isEqualTo(403);
      assertThat(
              browser
                  .raw("POST", "/session", "token=" + token, "Host: evil.example", form)
                  .status())
          .isEqualTo(421);
      assertThat(browser.send("GET", "/v1/volumes", "").status())
          .as("the certificate of the door is nobody's session")
          .isEqualTo(401);
      assertThat(redeem(browser, token).status()).as("it is still good").isEqualTo(303);
    }
  }

  @Test
  @DisplayName("gives a session no more than its role: one that reads cannot operate")
  void roles() throws Exception {
    try (BerthProcess door = door()) {
      Browser browser = Browser.at(url(door));
      Path reads = session(browser, "reads", "--role", "read");
      Path operates = session(browser, "operates", "--role", "operate");

      assertThat(detach(reads)).isEqualTo(ExitCode.FAILED);
      assertThat(said()).contains("needs the role operate");
      detach(operates);
      assertThat(said()).contains("prod/db").doesNotContain("role");
      assertThat(run(directory.resolve("ann"), "session", "open", "--role", "admin"))
          .isEqualTo(ExitCode.FAILED);
      assertThat(said()).contains("role admin is more than ann has");
      for (String path : List.of("/v1/volumes", "/v1/commands", "/v1/detach")) {
        assertThat(
                browser
                    .send("POST", path, "", "Cookie: __Host-berth-session=" + token(operates))
                    .status())
            .as("the door sends no command, whatever the session")
            .isEqualTo(405);
      }
    }
  }

  @Test
  @DisplayName("speaks TLS with a certificate of its own")
  void https() throws Exception {
    try (BerthProcess door =
        door(
            "--listen",
            "0.0.0.0",
            "--tls-certificate",
            berth.cert().toString(),
            "--tls-key",
            berth.key().toString())) {
      String url = url(door).replace("0.0.0.0", "127.0.0.1");
      Browser browser = Browser.trusting(url, berth.cert());

      assertThat(url).startsWith("https://");
      assertThat(redeem(browser, oneTimeToken()).status()).isEqualTo(303);
    }
  }

  // ---- steps

  private static VolumeSpec volume(String namespace) {
    return VolumeSpec.newBuilder()
        .setNamespace(namespace)
        .setVolume("db")
        .setPlugin("ebs")
        .setExternalId("vol-" + namespace)
        .setCapabilities(
            List.of(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
        .build();
  }

  private static BerthProcess door(String... options) {
    List<String> command = new ArrayList<>(List.of("session", "serve", "--port", "0"));
    command.addAll(List.of(options));
    command.addAll(target());
    return BerthProcess.run(directory.resolve("door.out"), command);
  }

  private static String url(BerthProcess door) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              assertThat(door.isAlive()).as(door.printed()).isTrue();
              return URL.matcher(door.printed()).find();
            });
    Matcher url = URL.matcher(door.printed());
    assertThat(url.find()).isTrue();
    return url.group(1);
  }

  private static List<String> target() {
    return List.of(
        "--api",
        app.apiAddress(),
        "--api-tls-ca",
        berth.cert().toString(),
        "--api-tls-certificate",
        client.cert().toString(),
        "--api-tls-key",
        client.key().toString());
  }

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private String oneTimeToken(String... options) {
    List<String> command = new ArrayList<>(List.of("session", "open"));
    command.addAll(List.of(options));
    assertThat(run(directory.resolve("ann"), command.toArray(String[]::new)))
        .as(err.toString(StandardCharsets.UTF_8))
        .isEqualTo(ExitCode.OK);
    return out.toString(StandardCharsets.UTF_8).strip();
  }

  /** A file with what a browser was given as its cookie. */
  private Path session(Browser browser, String name, String... options) throws IOException {
    String cookie = cookie(redeem(browser, oneTimeToken(options)));
    return Files.writeString(
        directory.resolve(name), cookie.substring("__Host-berth-session=".length()));
  }

  private static Browser.Answer redeem(Browser browser, String token) throws IOException {
    return browser.send("POST", "/session", "token=" + token, "Origin: " + browser.origin());
  }

  private static String cookie(Browser.Answer opened) {
    return opened.header("set-cookie").split(";", 2)[0];
  }

  private static String token(Path file) throws IOException {
    return Files.readString(file);
  }

  private int detach(Path token) {
    return run(token, "detach", "prod/db", "n1", "--yes", "--reason", "test");
  }

  private String said() {
    return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
  }

  private int run(Path token, String... command) {
    out.reset();
    err.reset();
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(target());
    words.addAll(List.of("--api-token-file", token.toString()));
    return BerthCommand.run(
        Terminal.plain(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8)),
        words.toArray(String[]::new));
  }
}
