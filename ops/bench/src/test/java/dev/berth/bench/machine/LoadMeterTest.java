package dev.berth.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadMeterTest {
  private static final String MACHINE =
      "cpu  100 20 30 800 50 1 2 3 40 5\ncpu0 50 10 15 400 25 1 1 1 20 2\nintr 1 2 3\n";
  private static final String SELF =
      "42 (a (b) c) S 1 42 42 0 -1 4194560 100 200 0 0 70 6 5 4 20 0 30 0 123 456 789";

  private static final String CHILD =
      "43 (java) S 42 42 42 0 -1 4194560 100 200 0 0 10 3 2 1 20 0 30 0 123 456 789";

  @Test
  @DisplayName("waiting for disks is no work; a program's own time has that of its ended children")
  void parsed() {
    assertThat(LoadMeter.parse(MACHINE, List.of(SELF)))
        .isEqualTo(new LoadMeter.Reading(1006, 156, 85));
  }

  @Test
  @DisplayName("what is busy and not one's own is foreign")
  void foreign() {
    assertThat(
            LoadMeter.foreign(
                new LoadMeter.Reading(1000, 100, 40), new LoadMeter.Reading(1400, 400, 240)))
        .isCloseTo(0.25, Offset.offset(1e-9));
  }

  @Test
  @DisplayName("own time that was booked a moment late is not less than nothing of others")
  void bookedLate() {
    assertThat(
            LoadMeter.foreign(
                new LoadMeter.Reading(1000, 100, 40), new LoadMeter.Reading(1400, 200, 240)))
        .isZero();
  }

  @Test
  @DisplayName("without counts the share of others is unknown")
  void unknown(@TempDir Path nothing) {
    LoadMeter meter = new LoadMeter(nothing, List::of);
    assertThat(LoadMeter.foreign(meter.read(), meter.read())).isNull();
  }

  @Test
  @DisplayName("children that run are no others; one that has just ended is counted elsewhere")
  void files(@TempDir Path proc) throws IOException {
    Files.createDirectory(proc.resolve("self"));
    Files.writeString(proc.resolve("stat"), MACHINE);
    Files.writeString(proc.resolve("self").resolve("stat"), SELF);
    Files.createDirectory(proc.resolve("43"));
    Files.writeString(proc.resolve("43").resolve("stat"), CHILD);

    assertThat(new LoadMeter(proc, () -> List.of(43L, 44L)).read())
        .isEqualTo(new LoadMeter.Reading(1006, 156, 101));
  }
}
