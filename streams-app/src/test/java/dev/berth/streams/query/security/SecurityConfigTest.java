package dev.berth.streams.query.security;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The configuration of the API's security")
class SecurityConfigTest {

  @ParameterizedTest(name = "{0} needs {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "api.tls.key | api.tls.certificate | the key is of no use without it",
        "api.tls.certificate | api.tls.key | the certificate is of no use without it",
        "api.tls.client-ca | api.tls.certificate | clients show certificates over TLS only",
        "api.tls.ca | api.tls.certificate | the instances speak TLS to each other when it is set",
        "api.peer-token | api.tokens | nobody asks for tokens without it"
      })
  @DisplayName("is refused when a key lacks the other that makes it work")
  void incomplete(String key, String other, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SecurityConfig.parse(Map.of(key, "x")))
        .withMessage("%s is set without %s: %s; set both".formatted(key, other, why));
  }

  @Test
  @DisplayName("is refused when TLS is set and nobody is known, since TLS tells nobody who calls")
  void tlsAlone() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                SecurityConfig.parse(
                    Map.of("api.tls.certificate", "c.pem", "api.tls.key", "k.pem")))
        .withMessage(
            "api.tls.certificate is set without api.tokens: TLS alone lets everybody do everything;"
                + " set both");
  }

  @Test
  @DisplayName("holds no token, but a reference to one")
  void plainToken() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> SecurityConfig.parse(Map.of("api.tokens", "f", "api.peer-token", "hush-4711")))
        .withMessage(
            "api.peer-token is not a reference: never give the token itself; write"
                + " ${provider:path:key}, for example"
                + " ${file:/run/secrets/berth.properties:peer-token} or ${env:PEER_TOKEN}");
  }
}
