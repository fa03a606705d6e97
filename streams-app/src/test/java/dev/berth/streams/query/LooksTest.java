package dev.berth.streams.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An entry is looked at")
class LooksTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private final Looks looks = new Looks();

  @Test
  @DisplayName("at once when it may have changed, again after a second, and then no more")
  void twice() {
    looks.caused("a", at(0));

    assertThat(looks.take(at(0))).containsExactly("a");
    assertThat(looks.take(at(999))).isEmpty();
    assertThat(looks.take(at(1_000))).containsExactly("a");
    assertThat(looks.take(at(60_000))).isEmpty();
  }

  @Test
  @DisplayName("once for several causes at once")
  void burst() {
    looks.caused("a", at(0));
    looks.caused("b", at(1));
    looks.caused("a", at(2));

    assertThat(looks.take(at(2))).containsExactly("a", "b");
    assertThat(looks.take(at(1_001))).containsExactly("b");
    assertThat(looks.take(at(1_002))).containsExactly("a");
  }

  @Test
  @DisplayName("at most ten times a second, and a second after the last cause all the same")
  void pace() {
    int taken = 0;
    for (int millis = 0; millis < 2_000; millis += 10) {
      looks.caused("a", at(millis));
      taken += looks.take(at(millis)).size();
    }

    assertThat(taken).isBetween(18, 20);
    // One that was due for the causes behind the last look, and the second look.
    assertThat(looks.take(at(2_100))).containsExactly("a");
    assertThat(looks.take(at(2_990))).containsExactly("a");
    assertThat(looks.take(at(60_000))).isEmpty();
  }

  @Test
  @DisplayName("with every other one at most every three seconds, when nothing tells which changed")
  void all() {
    looks.caused(Looks.ALL, at(0));
    assertThat(looks.take(at(0))).containsExactly(Looks.ALL);
    looks.caused(Looks.ALL, at(500));

    assertThat(looks.take(at(2_999))).isEmpty();
    assertThat(looks.take(at(3_000))).containsExactly(Looks.ALL);
    assertThat(looks.take(at(60_000))).isEmpty();
  }

  @Test
  @DisplayName("again when an instance said that it can answer later")
  void failed() {
    looks.caused("a", at(0));
    assertThat(looks.take(at(0))).containsExactly("a");
    looks.failed("a", Duration.ofSeconds(3), at(10));

    assertThat(looks.take(at(3_009))).isEmpty();
    assertThat(looks.take(at(3_010))).containsExactly("a");
    assertThat(looks.take(at(60_000))).isEmpty();
  }

  private static Instant at(long millis) {
    return START.plusMillis(millis);
  }
}
