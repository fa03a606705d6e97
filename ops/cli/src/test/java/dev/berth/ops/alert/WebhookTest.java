package dev.berth.ops.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A webhook's address")
class WebhookTest {

  @Test
  @DisplayName("is shown without what may be secret")
  void shown() {
    assertThat(Webhook.at("https://chat.example/services/hush-4711?token=hush\n"))
        .hasToString("https://chat.example");
    assertThat(Webhook.at("http://127.0.0.1:9093/berth")).hasToString("http://127.0.0.1:9093");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "chat.example/hush", "ftp://chat/hush", "http:///hush", "ht tp://hush"})
  @DisplayName("is refused when it is none, without being quoted")
  void refused(String address) {
    assertThatThrownBy(() -> Webhook.at(address))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains("http")
        .doesNotContain("hush");
  }
}
