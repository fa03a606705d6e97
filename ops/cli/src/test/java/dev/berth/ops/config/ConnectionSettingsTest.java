package dev.berth.ops.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.producers.Connection;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.app.AppConfig;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionSettingsTest {

  private static final Map<String, String> LEAST =
      Map.of("bootstrap.servers", "127.0.0.1:9092", "schema.registry.url", "http://127.0.0.1:8081");

  @TempDir private Path temp;

  @Test
  @DisplayName("a variable goes over the file, a flag over both")
  void order() throws IOException {
    Path file =
        file(
            """
            bootstrap.servers = file:1
            schema.registry.url = http://file:1
            topic.prefix = file
            kafka.client.id = file
            """);
    Map<String, String> variables =
        Map.of(
            "BERTH_SCHEMA_REGISTRY_URL", "http://variable:1",
            "BERTH_TOPIC_PREFIX", "variable",
            "BERTH_KAFKA_SECURITY_PROTOCOL", "SSL",
            "BERTH_JAVA_OPTS", "-Xmx1g",
            "HOME", "/");
    assertThat(
            ConnectionSettings.read(Optional.of(file), variables, Map.of("topic.prefix", "flag")))
        .isEqualTo(
            new Connection(
                "file:1",
                Map.of("schema.registry.url", "http://variable:1"),
                new Topics("flag"),
                Map.of("client.id", "file", "security.protocol", "SSL")));
  }

  @Test
  @DisplayName("variables of other parts of Berth do not matter, those that nobody knows do")
  void othersVariables() {
    Map<String, String> environment =
        Map.of(
            "BERTH_API_PEER_TOKEN", "${env:PEER}",
            "BERTH_API_TLS_CLIENT_CA", "/clients.pem",
            "BERTH_STATE_DIR", "/state",
            "BERTH_POLICY_DEFAULT_RPC_TIMEOUT", "1m",
            "BERTH_WORKER_ID", "w1",
            "BERTH_OPEN_CALLS_MAX", "8",
            "BERTH_API", "127.0.0.1:7070",
            "BERTH_API_TOKEN_FILE", "/token",
            "BERTH_BROKERS", "x");
    assertThatThrownBy(() -> ConnectionSettings.read(Optional.empty(), environment, LEAST))
        .hasMessageStartingWith("environment: unknown setting 'BERTH_BROKERS'");
    assertThat(PartVariables.ofStreams(environment))
        .containsOnlyKeys(
            "BERTH_API_PEER_TOKEN",
            "BERTH_API_TLS_CLIENT_CA",
            "BERTH_STATE_DIR",
            "BERTH_POLICY_DEFAULT_RPC_TIMEOUT",
            "BERTH_BROKERS");
    assertThat(PartVariables.ofWorker(environment))
        .containsOnlyKeys("BERTH_WORKER_ID", "BERTH_OPEN_CALLS_MAX", "BERTH_BROKERS");
  }

  @Test
  @DisplayName("the Streams application's file serves the command too")
  void sharedFile() throws IOException {
    String text =
        """
        bootstrap.servers = 127.0.0.1:9092
        schema.registry.url = http://127.0.0.1:8081
        topic.prefix = prod
        application.id = app
        state.dir = /tmp/state
        replication.factor = 3
        standby.replicas = 1
        threads = 2
        group.protocol = classic
        health.port = 8080
        auto.register.schemas = false
        policy.default.rpc-timeout = 1m
        kafka.client.id = me
        """;
    Properties properties = new Properties();
    properties.load(new StringReader(text));
    Map<String, String> settings = new HashMap<>();
    properties.stringPropertyNames().forEach(k -> settings.put(k, properties.getProperty(k)));
    assertThat(AppConfig.parse(settings).topics()).isEqualTo(new Topics("prod"));
    assertThat(ConnectionSettings.read(Optional.of(file(text)), Map.of(), Map.of()).topics())
        .isEqualTo(new Topics("prod"));
  }

  @Test
  @DisplayName("an unknown key is an error that names its source")
  void unknown() throws IOException {
    Path file = file("bootstrap.server = x\n");
    assertThatThrownBy(() -> ConnectionSettings.read(Optional.of(file), Map.of(), LEAST))
        .hasMessageStartingWith(file + ": unknown setting 'bootstrap.server': remove it");
    assertThatThrownBy(
            () -> ConnectionSettings.read(Optional.empty(), Map.of("BERTH_BROKERS", "x"), LEAST))
        .hasMessageStartingWith("environment: unknown setting 'BERTH_BROKERS': remove it");
    Map<String, String> flags = new HashMap<>(LEAST);
    flags.put("x", "y");
    assertThatThrownBy(() -> ConnectionSettings.read(Optional.empty(), Map.of(), flags))
        .hasMessageStartingWith("--set: unknown setting 'x': remove it")
        .hasMessageEndingWith(
            "known are bootstrap.servers, topic.prefix, api, api.token, api.token-file, api.tls,"
                + " api.tls.ca, api.tls.certificate, api.tls.key, api.tls.name,"
                + " schema.registry.*, basic.auth.*, bearer.auth.*, proxy.*,"
                + " auto.register.schemas and kafka.*");
  }

  @Test
  @DisplayName("what is missing is named with all the ways to give it")
  void missing() {
    assertThatThrownBy(() -> ConnectionSettings.read(Optional.empty(), Map.of(), Map.of()))
        .hasMessage(
            "bootstrap.servers is not set: give --bootstrap-servers HOST:PORT, the variable"
                + " BERTH_BOOTSTRAP_SERVERS, or the key in a file named by --config");
    assertThatThrownBy(
            () ->
                ConnectionSettings.read(
                    Optional.empty(), Map.of("BERTH_BOOTSTRAP_SERVERS", "b:1"), Map.of()))
        .hasMessageStartingWith("schema.registry.url is not set: give --registry http://HOST:PORT");
  }

  @Test
  @DisplayName("a file that is not there, and brokers under kafka., are refused")
  void refused() {
    assertThatThrownBy(
            () -> ConnectionSettings.read(Optional.of(temp.resolve("none")), Map.of(), Map.of()))
        .hasMessage("--config " + temp.resolve("none") + ": there is no such file");
    Map<String, String> flags = new HashMap<>(LEAST);
    flags.put("kafka.bootstrap.servers", "x:1");
    assertThatThrownBy(() -> ConnectionSettings.read(Optional.empty(), Map.of(), flags))
        .hasMessage("kafka.bootstrap.servers cannot be set: write bootstrap.servers");
  }

  private Path file(String text) throws IOException {
    return Files.writeString(temp.resolve("berth.properties"), text);
  }
}
