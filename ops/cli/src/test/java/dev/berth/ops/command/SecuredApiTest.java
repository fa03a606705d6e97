package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.embedded.tls.Certificates;
import dev.berth.ops.terminal.Terminal;
import dev.berth.streams.query.ApiConfig;
import dev.berth.streams.query.security.ConfiguredSecurity;
import dev.berth.streams.query.security.SecurityConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A secured API")
class SecuredApiTest {
  @TempDir static Path directory;
  private static Certificates berth;
  private static Certificates alice;
  private static Map<String, String> tls;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeAll
  static void makeFiles() throws IOException, NoSuchAlgorithmException {
    berth = Certificates.make(directory, "berth");
    alice = Certificates.make(directory, "alice");
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest("hush-bob".getBytes(StandardCharsets.UTF_8));
    Files.writeString(
        directory.resolve("callers"),
        "bob.token=%s\nbob.roles=read\nbob.namespaces=*\n".formatted(HexFormat.of().formatHex(hash))
            + "alice.certificate=alice\nalice.roles=read\nalice.namespaces=*\n");
    Files.writeString(directory.resolve("token"), "hush-bob\n");
    Files.writeString(directory.resolve("wrong"), "hush-eve\n");
    tls =
        Map.of(
            "api.tokens", directory.resolve("callers").toString(),
            "api.tls.certificate", berth.cert().toString(),
            "api.tls.key", berth.key().toString());
  }

  @Test
  @DisplayName("is called over TLS with a token, by flags or by a file")
  void token() throws IOException {
    try (FakeBerth api = secured(tls)) {
      api.volumes.add(ApiAnswers.volume("db"));
      assertThat(run(api, "--api-tls-ca", berth.cert(), "--api-token-file", file("token")))
          .isEqualTo(ExitCode.OK);
      assertThat(text(out)).contains("prod/db");
      Path config =
          Files.writeString(
              directory.resolve("config"),
              "api.tls.ca=%s\napi.token=${dir:%s:token}\n".formatted(berth.cert(), directory));
      assertThat(run(api, "--config", config)).isEqualTo(ExitCode.OK);
    }
  }

  @Test
  @DisplayName("that asks for certificates knows the command by its own")
  void mutual() {
    Map<String, String> mutual = new TreeMap<>(tls);
    mutual.put("api.tls.client-ca", alice.cert().toString());
    try (FakeBerth api = secured(mutual)) {
      assertThat(
              run(
                  api,
                  "--api-tls-ca",
                  berth.cert(),
                  "--api-tls-certificate",
                  alice.cert(),
                  "--api-tls-key",
                  alice.key()))
          .isEqualTo(ExitCode.OK);
      assertThat(run(api, "--api-tls-ca", berth.cert(), "--api-token-file", file("token")))
          .as("no certificate")
          .isEqualTo(ExitCode.FAILED);
      assertThat(text(err)).contains("does it want --api-tls-certificate?");
    }
  }

  @Test
  @DisplayName("refuses nobody without a word on what would help")
  void refused() {
    try (FakeBerth api = secured(tls)) {
      assertThat(run(api, "--api-token-file", file("token"))).isEqualTo(ExitCode.FAILED);
      assertThat(text(err)).contains("does it speak TLS? then give --api-tls-ca FILE");
      assertThat(run(api, "--api-tls-ca", alice.cert())).isEqualTo(ExitCode.FAILED);
      assertThat(text(err)).contains("does its certificate come from --api-tls-ca");
      assertThat(run(api, "--api-tls-ca", berth.cert())).isEqualTo(ExitCode.FAILED);
      assertThat(text(err))
          .contains("does not know who calls: nothing says who calls", "--api-token-file FILE");
      assertThat(run(api, "--api-tls-ca", berth.cert(), "--api-token-file", file("wrong")))
          .isEqualTo(ExitCode.FAILED);
      assertThat(text(err)).contains("the bearer token is not known").doesNotContain("hush");
      assertThat(run(api, "--api-tls-ca", berth.cert(), "--api-tls-name", "other.example"))
          .isEqualTo(ExitCode.FAILED);
      assertThat(api.asked).isEmpty();
    }
  }

  @Test
  @DisplayName("is not sent a token for everybody to read: exit 2")
  void plain() {
    Terminal terminal = Terminal.plain(new PrintStream(out), new PrintStream(err));
    assertThat(
            BerthCommand.run(
                terminal,
                "volume",
                "list",
                "--api",
                "192.0.2.1:7070",
                "--api-token-file",
                file("token").toString()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(text(err))
        .startsWith("berth: api=192.0.2.1:7070: without TLS everybody on the way could read");
  }

  private static FakeBerth secured(Map<String, String> settings) {
    return new FakeBerth(
        ConfiguredSecurity.of(
            SecurityConfig.parse(settings), ApiConfig.DEFAULT, Clock.systemUTC()));
  }

  private static Path file(String name) {
    return directory.resolve(name);
  }

  private int run(FakeBerth api, Object... options) {
    List<String> words =
        new ArrayList<>(List.of("volume", "list", "--api", api.address(), "--timeout", "5s"));
    for (Object option : options) {
      words.add(option.toString());
    }
    return BerthCommand.run(
        Terminal.plain(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8)),
        words.toArray(String[]::new));
  }

  private static String text(ByteArrayOutputStream stream) {
    // Sentences go on in the next line.
    return stream.toString(StandardCharsets.UTF_8).replaceAll("\\s+", " ");
  }
}
