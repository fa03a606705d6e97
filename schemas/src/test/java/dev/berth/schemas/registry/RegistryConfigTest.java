package dev.berth.schemas.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Registry configuration")
class RegistryConfigTest {

  @Test
  @DisplayName("takes addresses in order and ignores what is not of the registry")
  void addresses() {
    RegistryConfig config =
        RegistryConfig.parse(
            Map.of(
                "schema.registry.url", " http://a:1, https://b:2 ,",
                "bootstrap.servers", "c:3",
                "auto.register.schemas", "FALSE"));

    assertThat(config)
        .isEqualTo(
            new RegistryConfig(
                List.of("http://a:1", "https://b:2"),
                false,
                Map.of("http.connect.timeout.ms", "5000", "http.read.timeout.ms", "10000")));
  }

  @Test
  @DisplayName("hands settings to the client with and without their prefix")
  void clientSettings() {
    RegistryConfig config =
        RegistryConfig.parse(
            Map.of(
                "schema.registry.url", "http://a:1",
                "schema.registry.basic.auth.credentials.source", "USER_INFO",
                "basic.auth.user.info", "me:secret",
                "schema.registry.ssl.truststore.location", "/t.jks",
                "schema.registry.http.read.timeout.ms", 77));

    assertThat(config.client())
        .containsEntry("basic.auth.credentials.source", "USER_INFO")
        .containsEntry("basic.auth.user.info", "me:secret")
        .containsEntry("schema.registry.ssl.truststore.location", "/t.jks")
        .containsEntry("http.read.timeout.ms", "77");
  }

  @Test
  @DisplayName("prints no credentials")
  void noSecrets() {
    RegistryConfig config =
        RegistryConfig.parse(
            Map.of(
                "schema.registry.url", "http://me:geheim@a:1",
                "basic.auth.credentials.source", "USER_INFO",
                "basic.auth.user.info", "me:geheim"));

    assertThat(config).hasToString("RegistryConfig[urls=http://a:1, autoRegister=true]");
  }

  @Test
  @DisplayName("says which setting cannot be used, and what to do")
  void refusals() {
    assertRefused(Map.of(), "schema.registry.url is not set");
    assertRefused(Map.of("schema.registry.url", "a:1"), "schema.registry.url=a:1", "http://");
    assertRefused(
        Map.of("schema.registry.url", "http://a:1", "auto.register.schemas", "yes"),
        "auto.register.schemas=yes");
    assertRefused(
        Map.of(
            "schema.registry.url", "http://a:1",
            "schema.registry.bearer.auth.credentials.source", "OAUTHBEARER"),
        "bearer.auth.credentials.source=OAUTHBEARER",
        "STATIC_TOKEN");
    assertRefused(
        Map.of(
            "schema.registry.url", "http://a:1",
            "bearer.auth.credentials.source", "SASL_OAUTHBEARER_INHERIT"),
        "not supported");
    assertRefused(
        Map.of("schema.registry.url", "http://a:1", "basic.auth.user.info", "me:geheim"),
        "basic.auth.credentials.source is not",
        "USER_INFO");
  }

  private static void assertRefused(Map<String, ?> settings, String... parts) {
    assertThatThrownBy(() -> RegistryConfig.parse(settings))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(parts)
        .hasMessageNotContaining("geheim");
  }
}
