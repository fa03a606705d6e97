package dev.berth.ops.lives;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LifeBookTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path data;

  @Test
  @DisplayName("the book holds every life and its kill, also while it is written")
  void lives() {
    Life.Kill kill = new Life.Kill(START.plusSeconds(9), "replaying", 12, 40);
    try (LifeBook book = LifeBook.open(data)) {
      book.started(START);
      book.killed(kill);
      book.started(START.plusSeconds(10));
      assertThat(LifeBook.read(data))
          .isEqualTo(
              List.of(
                  new Life(START, Optional.of(kill)),
                  new Life(START.plusSeconds(10), Optional.empty())));
    }
  }

  @Test
  @DisplayName("a run that nobody kills has no lives")
  void none() {
    assertThat(LifeBook.read(data)).isEmpty();
  }
}
