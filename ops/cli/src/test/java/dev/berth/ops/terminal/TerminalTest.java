package dev.berth.ops.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TerminalTest {

  @Test
  @DisplayName("without a terminal there is neither colour nor a live line")
  void pipe() {
    Terminal pipe = terminal(Map.of(), Map.of());
    assertThat(pipe).isEqualTo(Terminal.plain(System.out, System.err));
    assertThat(pipe.bad("wrong")).isEqualTo("wrong");
  }

  @Test
  @DisplayName("the two streams may end in different places")
  void mixed() {
    Terminal colourOnly = terminal(Map.of(Terminal.OUT_IS_TERMINAL, "true"), Map.of());
    assertThat(colourOnly).isEqualTo(new Terminal(System.out, System.err, true, false, 80));
    Terminal liveOnly = terminal(Map.of(Terminal.COLUMNS_OF_ERR, "120"), Map.of());
    assertThat(liveOnly).isEqualTo(new Terminal(System.out, System.err, false, true, 120));
  }

  @Test
  @DisplayName("NO_COLOR takes the colours and leaves the live line")
  void noColour() {
    Map<String, String> both =
        Map.of(Terminal.OUT_IS_TERMINAL, "true", Terminal.COLUMNS_OF_ERR, "100");
    assertThat(terminal(both, Map.of("NO_COLOR", "1")))
        .isEqualTo(new Terminal(System.out, System.err, false, true, 100));
    assertThat(terminal(both, Map.of("NO_COLOR", "")).colour()).isTrue();
  }

  @Test
  @DisplayName("a dumb terminal gets plain text, and a width that is none the usual one")
  void dumb() {
    Map<String, String> both =
        Map.of(Terminal.OUT_IS_TERMINAL, "true", Terminal.COLUMNS_OF_ERR, "0");
    assertThat(terminal(both, Map.of("TERM", "dumb")))
        .isEqualTo(Terminal.plain(System.out, System.err));
    assertThat(terminal(both, Map.of()).width()).isEqualTo(80);
  }

  private static Terminal terminal(
      Map<String, String> properties, Map<String, String> environment) {
    Properties system = new Properties();
    system.putAll(properties);
    return Terminal.of(System.out, System.err, system, environment);
  }
}
