package dev.berth.workers.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.records.PluginRole;
import dev.berth.schemas.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WorkerConfigTest {

  private static final Map<String, String> LEAST =
      Map.of(
          "worker.id", "w1",
          "bootstrap.servers", "127.0.0.1:9092",
          "schema.registry.url", "http://127.0.0.1:8081",
          "plugins.a.endpoint", "unix:///run/a.sock",
          "plugins.a.role", "controller",
          "plugins.a.node", "n1");

  @Test
  void theLeastConfigurationGetsTheseDefaults() {
    assertThat(WorkerConfig.parse(LEAST))
        .isEqualTo(
            new WorkerConfig(
                "w1",
                new WorkerRole.Everything(),
                "127.0.0.1:9092",
                Map.of("schema.registry.url", "http://127.0.0.1:8081"),
                new Topics("berth"),
                List.of(
                    new EndpointConfig(
                        "a",
                        Optional.empty(),
                        PluginRole.CONTROLLER,
                        "n1",
                        "pool",
                        new PluginAddress("unix:///run/a.sock"),
                        Optional.empty(),
                        Optional.empty())),
                200,
                Path.of("/var/lib/berth/csi"),
                Duration.ofSeconds(30),
                Duration.ofMinutes(1),
                Duration.ofSeconds(150),
                OptionalInt.empty(),
                Map.of(),
                Map.of()));
  }

  @Test
  void everySettingIsRead() {
    Map<String, String> settings = new HashMap<>(LEAST);
    settings.put("topic.prefix", "other");
    settings.put("plugins.a.plugin", "ebs");
    settings.put("plugins.a.route", "ebs-n1");
    settings.put("plugins.a.mount.root", "/mnt/n1");
    settings.put("plugins.b.endpoint", "127.0.0.1:1234");
    settings.put("plugins.b.role", "node");
    settings.put("plugins.b.node", "n2");
    settings.put("plugins.b.tls.ca", "/etc/ca.pem");
    settings.put("plugins.b.tls.cert", "/etc/cert.pem");
    settings.put("plugins.b.tls.key", "/etc/key.pem");
    settings.put("plugins.b.tls.name", "csi.example");
    settings.put("open.calls.max", "7");
    settings.put("mount.root", "/mnt");
    settings.put("discovery.interval.ms", "1000");
    settings.put("listing.interval.ms", "3000");
    settings.put("drain.timeout.ms", "2000");
    settings.put("health.port", "0");
    settings.put("log.format", "json");
    settings.put("config.providers", "file");
    settings.put("config.providers.file.param.allowed.paths", "/etc/keys");
    settings.put("basic.auth.credentials.source", "USER_INFO");
    settings.put("kafka.security.protocol", "SSL");

    assertThat(WorkerConfig.parse(settings))
        .isEqualTo(
            new WorkerConfig(
                "w1",
                new WorkerRole.Everything(),
                "127.0.0.1:9092",
                Map.of(
                    "schema.registry.url",
                    "http://127.0.0.1:8081",
                    "basic.auth.credentials.source",
                    "USER_INFO"),
                new Topics("other"),
                List.of(
                    new EndpointConfig(
                        "a",
                        Optional.of("ebs"),
                        PluginRole.CONTROLLER,
                        "n1",
                        "ebs-n1",
                        new PluginAddress("unix:///run/a.sock"),
                        Optional.empty(),
                        Optional.of(Path.of("/mnt/n1"))),
                    new EndpointConfig(
                        "b",
                        Optional.empty(),
                        PluginRole.NODE,
                        "n2",
                        "pool",
                        new PluginAddress("127.0.0.1:1234"),
                        Optional.of(
                            new TlsConfig(
                                "b",
                                Optional.of(Path.of("/etc/ca.pem")),
                                Optional.of(
                                    new TlsConfig.Identity(
                                        Path.of("/etc/cert.pem"), Path.of("/etc/key.pem"))),
                                Optional.of("csi.example"))),
                        Optional.empty())),
                7,
                Path.of("/mnt"),
                Duration.ofSeconds(1),
                Duration.ofSeconds(3),
                Duration.ofSeconds(2),
                OptionalInt.of(0),
                Map.of(
                    "config.providers",
                    "file",
                    "config.providers.file.param.allowed.paths",
                    "/etc/keys"),
                Map.of("security.protocol", "SSL")));
  }

  static Stream<Arguments> settingsThatCannotBeUsed() {
    return Stream.of(
        Arguments.of("open.calls.max", "0", "open.calls.max=0: set a whole number"),
        Arguments.of("open.calls.max", "many", "open.calls.max=many: set a whole number"),
        Arguments.of("worker.id", " ", "worker.id is not set"),
        Arguments.of("worker.id", "a/b", "worker.id=a/b: take"),
        Arguments.of("plugins.a.role", "both", "plugins.a.role=both: set controller or node"),
        Arguments.of("plugins.a.endpoint", "/run/a.sock", "plugins.a.endpoint: '/run/a.sock'"),
        Arguments.of("plugins.a.endpoint", "unix://a", "names no absolute socket path"),
        Arguments.of("plugins.a.endpoint", "host:70000", "'host:70000' is no plugin address"),
        Arguments.of("plugins.a.endpoint", "unix:///" + "x".repeat(107), "longer than the 107"),
        Arguments.of("mount.root", "here", "mount.root=here: only absolute paths are taken"),
        Arguments.of("plugins.a.tls", "yes", "plugins.a.tls: is 'yes': set true or false"),
        Arguments.of("plugins.a.tls", "true", "plugins.a.tls: a unix socket takes no TLS"),
        Arguments.of("worker.role", "both", "worker.role=both: set controller or node"),
        Arguments.of("worker.role", "node", "worker.node is not set: give the node"),
        Arguments.of("worker.node", "n1", "worker.node=n1: is for worker.role=node only"),
        Arguments.of("worker.plugin", "ebs", "worker.plugin=ebs: is for worker.role=controller"),
        Arguments.of("plugins.a.colour", "red", "unknown settings [plugins.a.colour]"),
        Arguments.of("kafka.acks", "1", "kafka.acks cannot be set"),
        Arguments.of("topic.prefix", "a b", "topic prefix 'a b' is not usable"),
        Arguments.of("bootstrap", "x", "unknown settings [bootstrap]"));
  }

  @ParameterizedTest
  @MethodSource("settingsThatCannotBeUsed")
  void aSettingThatCannotBeUsedIsRefusedByName(String key, String value, String message) {
    Map<String, String> settings = new HashMap<>(LEAST);
    settings.put(key, value);

    assertThatThrownBy(() -> WorkerConfig.parse(settings))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void halfAnIdentityIsRefused() {
    Map<String, String> settings = new HashMap<>(LEAST);
    settings.put("plugins.a.endpoint", "127.0.0.1:1234");
    settings.put("plugins.a.tls.cert", "/etc/cert.pem");

    assertThatThrownBy(() -> WorkerConfig.parse(settings))
        .hasMessage("plugins.a.tls.key: is not set: give certificate and key, or none");
  }

  @Test
  void aPortIsReachedThroughTlsWhereThatIsAskedFor() {
    Map<String, String> settings = new HashMap<>(LEAST);
    settings.put("plugins.a.endpoint", "127.0.0.1:1234");
    settings.put("plugins.a.tls", "true");

    assertThat(WorkerConfig.parse(settings).endpoints().get(0).tls())
        .contains(new TlsConfig("a", Optional.empty(), Optional.empty(), Optional.empty()));
  }

  @Test
  void twoEndpointsOfOnePluginRoleAndNodeAreRefused() {
    Map<String, String> settings = new HashMap<>(LEAST);
    settings.put("plugins.a.plugin", "ebs");
    settings.put("plugins.b.plugin", "ebs");
    settings.put("plugins.b.endpoint", "unix:///run/b.sock");
    settings.put("plugins.b.role", "controller");
    settings.put("plugins.b.node", "n1");

    assertThatThrownBy(() -> WorkerConfig.parse(settings))
        .hasMessageContaining("plugins.b.endpoint: plugin ebs has another CONTROLLER endpoint");
  }

  @Test
  void whatMayHoldSecretsIsNotPrinted() {
    Map<String, String> settings = new HashMap<>(LEAST);
    settings.put("kafka.sasl.jaas.config", "hush-4711");
    settings.put("basic.auth.user.info", "hush-4711");
    settings.put("config.providers.file.param.token", "hush-4711");

    assertThat(WorkerConfig.parse(settings).toString()).doesNotContain("hush-4711");
  }
}
