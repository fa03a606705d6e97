package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.query.ApiConfig;
import dev.berth.streams.query.security.SecurityConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The configuration")
class AppConfigTest {
  private static final Map<String, String> LEAST =
      Map.of("bootstrap.servers", "127.0.0.1:9092", "schema.registry.url", "http://127.0.0.1:8081");
  private static final RegistryConfig REGISTRY =
      RegistryConfig.parse(Map.of("schema.registry.url", "http://127.0.0.1:8081"));

  @Test
  @DisplayName("has these defaults")
  void defaults() {
    int cores = Math.min(4, Runtime.getRuntime().availableProcessors());

    assertThat(AppConfig.parse(LEAST))
        .isEqualTo(
            new AppConfig(
                "127.0.0.1:9092",
                REGISTRY,
                new Topics("berth"),
                "berth-streams",
                Path.of("/var/lib/berth/streams"),
                -1,
                1,
                cores,
                AppConfig.GroupProtocol.CLASSIC,
                0,
                ApiConfig.DEFAULT,
                SecurityConfig.NONE,
                Policies.DEFAULTS,
                Map.of()));
  }

  @Test
  @DisplayName("takes every key")
  void everyKey() {
    Map<String, String> settings = new HashMap<>(LEAST);
    settings.put("topic.prefix", "prod");
    settings.put("application.id", "prod-app");
    settings.put("state.dir", "/data/berth");
    settings.put("replication.factor", "3");
    settings.put("standby.replicas", "2");
    settings.put("threads", "6");
    settings.put("group.protocol", "streams");
    settings.put("health.port", "8090");
    settings.put("log.format", "json");
    settings.put("api.listen", "127.0.0.1:7171");
    settings.put("api.advertised", "[::1]:7172");
    settings.put("api.tls.certificate", "/tls/berth.pem");
    settings.put("api.tls.key", "/tls/berth.key");
    settings.put("api.tls.client-ca", "/tls/clients.pem");
    settings.put("api.tls.ca", "/tls/ca.pem");
    settings.put("api.tokens", "/etc/berth/callers.properties");
    settings.put("api.peer-token", "${env:PEER_TOKEN}");
    settings.put("policy.default.rpc-timeout", "15s");
    settings.put("policy.plugin/ebs.csi.aws.com.backoff.first", "2s");
    settings.put("policy.volume/prod/db.node-loss", "hold");
    settings.put("kafka.security.protocol", "SASL_SSL");
    settings.put("kafka.consumer.fetch.max.bytes", "1000");

    assertThat(AppConfig.parse(settings))
        .isEqualTo(
            new AppConfig(
                "127.0.0.1:9092",
                REGISTRY,
                new Topics("prod"),
                "prod-app",
                Path.of("/data/berth"),
                3,
                2,
                6,
                AppConfig.GroupProtocol.STREAMS,
                8090,
                new ApiConfig(
                    new ApiConfig.Address("127.0.0.1", 7171),
                    Optional.of(new ApiConfig.Address("::1", 7172))),
                new SecurityConfig(
                    Optional.of(
                        new SecurityConfig.Tls(
                            Path.of("/tls/berth.pem"),
                            Path.of("/tls/berth.key"),
                            Optional.of(Path.of("/tls/clients.pem")),
                            Optional.of(Path.of("/tls/ca.pem")))),
                    Optional.of(Path.of("/etc/berth/callers.properties")),
                    Optional.of("${env:PEER_TOKEN}")),
                new Policies(
                    0,
                    Map.of(
                        "default", Map.of("rpc-timeout", "15s"),
                        "plugin/ebs.csi.aws.com", Map.of("backoff.first", "2s"),
                        "volume/prod/db", Map.of("node-loss", "hold"))),
                Map.of("security.protocol", "SASL_SSL", "consumer.fetch.max.bytes", "1000")));
  }

  @Test
  @DisplayName("names itself after its topics, so that two deployments do not meet")
  void applicationId() {
    assertThat(AppConfig.parse(with("topic.prefix", "test")).applicationId())
        .isEqualTo("test-streams");
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "bootstrap.servers || bootstrap.servers is not set: give the brokers, for example"
            + " 127.0.0.1:9092",
        "threads | 0 | threads=0: set a whole number from 1 to 64",
        "threads | many | threads=many: set a whole number from 1 to 64",
        "health.port | 70000 | health.port=70000: set a whole number from 0 to 65535",
        "api.listen | 7070 | api.listen=7070: write host:port, for example 127.0.0.1:7070",
        "api.listen | 127.0.0.1:70700 | api.listen=127.0.0.1:70700: write host:port, for example"
            + " 127.0.0.1:7070",
        "api.advertised | ::1:7070 | api.advertised=::1:7070: write host:port, for example"
            + " 127.0.0.1:7070",
        "api.tls.key | /k.pem | api.tls.key is set without api.tls.certificate: the key is of no use"
            + " without it; set both",
        "api.peer-token | hush | api.peer-token is set without api.tokens: nobody asks for tokens"
            + " without it; set both",
        "api.tls.cert | /c.pem | unknown settings [api.tls.cert]: remove them or correct their"
            + " spelling; known are bootstrap.servers, topic.prefix, application.id, state.dir,"
            + " replication.factor, standby.replicas, threads, group.protocol, health.port,"
            + " log.format, api.listen, api.advertised, api.tls.certificate, api.tls.key, api.tls.client-ca,"
            + " api.tls.ca, api.tokens, api.peer-token, auto.register.schemas, schema.registry.*,"
            + " policy.* and kafka.*",
        "replication.factor | 0 | replication.factor=0: set 1 or more, or -1 for the brokers'"
            + " default",
        "group.protocol | consumer | group.protocol=consumer: set classic or streams",
        "state.dir | data | state.dir=data: a relative path means another place each time; begin"
            + " it with /",
        "application.id | a b | application.id=a b: take 1 to 100 letters, digits, '.', '_' or '-'",
        "policy.default.lane | zone | policy 'default', lane = 'zone': it is not one of plugin,"
            + " node, volume, volume-node; write for example plugin",
        "policy.default.colour | blue | policy.default.colour ends in no policy key: write"
            + " policy.<name>.<key>, for example policy.default.rpc-timeout",
        "policy.lane | node | policy.lane ends in no policy key: write policy.<name>.<key>, for"
            + " example policy.default.rpc-timeout",
        "kafka.state.dir | /x | kafka.state.dir cannot be set: it is the setting state.dir; remove"
            + " it",
        "kafka.processing.guarantee | at_least_once | kafka.processing.guarantee cannot be set:"
            + " guarantees of Berth rest on it; remove it",
        "kafka.main.consumer.isolation.level | read_uncommitted |"
            + " kafka.main.consumer.isolation.level cannot be set: guarantees of Berth rest on it;"
            + " remove it",
        "treads | 2 | unknown settings [treads]: remove them or correct their spelling; known are"
            + " bootstrap.servers, topic.prefix, application.id, state.dir, replication.factor,"
            + " standby.replicas, threads, group.protocol, health.port, log.format, api.listen,"
            + " api.advertised,"
            + " api.tls.certificate, api.tls.key, api.tls.client-ca, api.tls.ca, api.tokens,"
            + " api.peer-token, auto.register.schemas, schema.registry.*, policy.* and kafka.*"
      })
  @DisplayName("is refused with key, value and remedy")
  void refused(String key, String value, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AppConfig.parse(with(key, value == null ? "" : value)))
        .withMessage(message);
  }

  @Test
  @DisplayName("prints no value that may be a secret")
  void secrets() {
    Map<String, String> settings = new HashMap<>(LEAST);
    settings.put("kafka.sasl.jaas.config", "password='hush-4711'");
    settings.put("schema.registry.basic.auth.credentials.source", "USER_INFO");
    settings.put("schema.registry.basic.auth.user.info", "me:hush-4712");

    assertThat(AppConfig.parse(settings).toString())
        .contains("kafka=[sasl.jaas.config]")
        .doesNotContain("hush");
  }

  private static Map<String, String> with(String key, String value) {
    Map<String, String> settings = new HashMap<>(LEAST);
    settings.put(key, value);
    return settings;
  }
}
