package dev.berth.workers.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.embedded.tls.Certificates;
import dev.berth.records.PluginRole;
import dev.berth.workers.FakePlugin;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.config.PluginAddress;
import dev.berth.workers.config.TlsConfig;
import io.grpc.TlsServerCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections through TLS, to a plugin on a real port. */
class PluginTlsTest {

  private static final Duration SOON = Duration.ofSeconds(10);

  @TempDir static Path directory;
  private static Certificates plugin;
  private static Certificates worker;
  private static Path empty;

  @BeforeAll
  static void makeCertificates() throws IOException {
    plugin = Certificates.make(directory, "plugin");
    worker = Certificates.make(directory, "worker");
    empty = Files.createFile(directory.resolve("empty.pem"));
  }

  @Test
  void aPluginIsReachedWhoseCertificateIsTrusted() throws IOException {
    try (FakePlugin tls = FakePlugin.start(server().build())) {
      assertThat(isReached(tls.address(), tls(plugin.cert(), null, null))).isTrue();
      assertThat(isReached(tls.address(), tls(worker.cert(), null, null)))
          .as("trusting another")
          .isFalse();
    }
  }

  @Test
  void aPluginThatAsksWhoCallsIsReachedWithTheWorkersCertificateOnly() throws IOException {
    TlsServerCredentials.Builder asking =
        server()
            .trustManager(worker.cert().toFile())
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
    try (FakePlugin tls = FakePlugin.start(asking.build())) {
      assertThat(isServed(tls.address(), tls(plugin.cert(), worker.cert(), worker.key()))).isTrue();
      assertThat(isServed(tls.address(), tls(plugin.cert(), null, null))).isFalse();
      assertThat(isServed(tls.address(), tls(plugin.cert(), plugin.cert(), plugin.key())))
          .as("the certificate of somebody else")
          .isFalse();
    }
  }

  static Stream<Arguments> filesThatCannotBeUsed() {
    Path none = directory.resolve("none.pem");
    return Stream.of(
        Arguments.of(tls(none, null, null), "tls.ca=" + none + ": there is no such file"),
        Arguments.of(
            tls(directory, null, null), "tls.ca=" + directory + ": cannot be read (java.io"),
        Arguments.of(tls(empty, null, null), "tls.ca=" + empty + ": is empty"),
        Arguments.of(
            tls(plugin.key(), null, null),
            "tls.ca=" + plugin.key() + ": holds no certificate in PEM"),
        Arguments.of(
            tls(plugin.cert(), worker.cert(), worker.cert()),
            "tls.key=" + worker.cert() + ": holds no PKCS#8 key without password; make one with:"));
  }

  @ParameterizedTest
  @MethodSource("filesThatCannotBeUsed")
  void aFileThatCannotBeUsedIsNamedWithTheRemedy(TlsConfig tls, String message) {
    assertThatThrownBy(() -> PluginConnection.of(endpoint(new PluginAddress("127.0.0.1:1"), tls)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("plugins.a." + message);
  }

  @Test
  void certificatesThatAreRenewedAreReadByTheNextConnection() throws IOException {
    Path ca = Files.copy(worker.cert(), directory.resolve("renewed.pem"));
    try (FakePlugin tls = FakePlugin.start(server().build());
        PluginConnection connection =
            PluginConnection.of(endpoint(tls.address(), tls(ca, null, null)))) {
      assertThat(connection.connect(SOON, false)).isEmpty();

      Files.writeString(ca, Files.readString(plugin.cert()));

      assertThat(connection.connect(SOON, true)).isPresent();
    }
  }

  private static boolean isReached(PluginAddress address, TlsConfig tls) {
    try (PluginConnection connection = PluginConnection.of(endpoint(address, tls))) {
      return connection.connect(SOON, false).isPresent();
    }
  }

  /** In TLS 1.3 a server that refuses its caller does so after the handshake. */
  private static boolean isServed(PluginAddress address, TlsConfig tls) {
    try (PluginConnection connection = PluginConnection.of(endpoint(address, tls))) {
      return FakePlugin.answersProbe(connection.channel());
    }
  }

  private static TlsServerCredentials.Builder server() throws IOException {
    return TlsServerCredentials.newBuilder()
        .keyManager(plugin.cert().toFile(), plugin.key().toFile());
  }

  private static TlsConfig tls(Path ca, @Nullable Path cert, @Nullable Path key) {
    return new TlsConfig(
        "a",
        Optional.of(ca),
        Optional.ofNullable(cert).map(c -> new TlsConfig.Identity(c, key)),
        Optional.empty());
  }

  private static EndpointConfig endpoint(PluginAddress address, TlsConfig tls) {
    return new EndpointConfig(
        "a",
        Optional.of("ebs"),
        PluginRole.CONTROLLER,
        "n1",
        "pool",
        address,
        Optional.of(tls),
        Optional.empty());
  }
}
