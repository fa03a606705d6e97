package dev.berth.ops.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FullScreenTest {

  @Test
  @DisplayName("what does not fit is left out, and the screen is given back once")
  void fits() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FullScreen screen =
        FullScreen.enter(Terminal.plain(new PrintStream(out), new PrintStream(out)));
    screen.show(List.of("abcdef", "b", "c"), new FullScreen.Size(2, 3));
    screen.close();
    screen.close();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "\u001b[?1049h\u001b[?25l"
                + "\u001b[Habc\u001b[K\nb\u001b[K\u001b[J"
                + "\u001b[?25h\u001b[?1049l");
  }

  @Test
  @DisplayName("a size that nobody tells is the usual one")
  void size() {
    assertThat(FullScreen.Size.parse("50 132\n")).isEqualTo(new FullScreen.Size(50, 132));
    assertThat(FullScreen.Size.parse("0 0")).isEqualTo(FullScreen.Size.USUAL);
    assertThat(FullScreen.Size.parse("stty: what?")).isEqualTo(FullScreen.Size.USUAL);
  }
}
