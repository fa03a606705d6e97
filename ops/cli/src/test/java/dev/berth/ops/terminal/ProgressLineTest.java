package dev.berth.ops.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

  @Test
  @DisplayName("a count has a bar, its time and the time left")
  void bar() {
    ProgressLine line = new ProgressLine("allocs", 50, 200, Duration.ofSeconds(6));
    assertThat(line.live(80))
        .isEqualTo("[#######.......................] 50/200 allocs  6 s, about 18 s left");
  }

  @Test
  @DisplayName("nobody guesses the time left before anything is done, nor after all is")
  void noGuess() {
    assertThat(new ProgressLine("allocs", 0, 200, Duration.ofSeconds(6)).left())
        .isEqualTo(Optional.empty());
    assertThat(new ProgressLine("allocs", 200, 200, Duration.ofSeconds(6)).left())
        .isEqualTo(Optional.empty());
  }

  @Test
  @DisplayName("the time left is told by what was done since the beginning")
  void goesOn() {
    assertThat(new ProgressLine("allocs", 150, 200, 140, Duration.ofSeconds(2)).left())
        .isEqualTo(Optional.of(Duration.ofSeconds(10)));
    assertThat(new ProgressLine("allocs", 140, 200, 140, Duration.ofSeconds(2)).left())
        .isEqualTo(Optional.empty());
  }

  @Test
  @DisplayName("a step without count has its time only")
  void step() {
    assertThat(new ProgressLine("starting broker", 0, 0, Duration.ofMillis(2_900)).live(80))
        .isEqualTo("starting broker  2 s");
  }

  @Test
  @DisplayName("a line never fills the terminal, where it would wrap")
  void narrow() {
    ProgressLine line = new ProgressLine("allocs through claim", 5, 10, Duration.ofSeconds(3));
    assertThat(line.live(70)).hasSizeLessThan(70);
    assertThat(line.live(20)).isEqualTo("5/10 allocs through");
  }

  @Test
  @DisplayName("a bar gives way before the words do")
  void shrunk() {
    ProgressLine line = new ProgressLine("allocs through claim", 5, 10, Duration.ofSeconds(3));
    String words = "5/10 allocs through claim  3 s, about 3 s left";
    assertThat(line.live(60)).isEqualTo("[#####.....] " + words).hasSize(59);
    assertThat(line.live(words.length() + 9)).isEqualTo("[##...] " + words);
    assertThat(line.live(words.length() + 8)).isEqualTo(words);
    assertThat(line.live(words.length() + 1)).isEqualTo(words);
  }

  @Test
  @DisplayName("elsewhere than on a terminal a step is its words and a count has no bar")
  void plain() {
    assertThat(new ProgressLine("starting", 0, 0, Duration.ZERO).plain()).isEqualTo("starting");
    assertThat(new ProgressLine("allocs", 0, 4, Duration.ZERO).plain()).isEqualTo("4 allocs");
    assertThat(new ProgressLine("allocs", 1, 4, Duration.ofSeconds(1)).plain())
        .isEqualTo("1/4 allocs  1 s, about 3 s left");
  }
}
