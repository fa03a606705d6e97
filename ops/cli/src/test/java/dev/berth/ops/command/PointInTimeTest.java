package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class PointInTimeTest {
  private static final Clock NOON =
      Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC);

  @Test
  void aTimeIsWrittenWithItsOffsetOrAsHowLongAgo() {
    assertThat(PointInTime.parse("2026-03-01T10:15:00Z", NOON)).isEqualTo("2026-03-01T10:15:00Z");
    assertThat(PointInTime.parse("2026-03-01T10:15:00+02:00", NOON))
        .isEqualTo("2026-03-01T08:15:00Z");
    assertThat(PointInTime.parse("1h30m", NOON)).isEqualTo("2026-03-01T10:30:00Z");
    assertThat(PointInTime.parse("1d", NOON)).isEqualTo("2026-02-28T12:00:00Z");
  }

  @Test
  void withoutAZoneItIsUtcAndWithoutADayTheLastOne() {
    assertThat(PointInTime.parse("2026-03-01T10:15:00", NOON)).isEqualTo("2026-03-01T10:15:00Z");
    assertThat(PointInTime.parse("2026-03-01T10:15", NOON)).isEqualTo("2026-03-01T10:15:00Z");
    assertThat(PointInTime.parse("10:15", NOON)).isEqualTo("2026-03-01T10:15:00Z");
    assertThat(PointInTime.parse("18:30:05", NOON)).isEqualTo("2026-02-28T18:30:05Z");
    assertThatThrownBy(() -> PointInTime.parse("25:00", NOON)).hasMessageContaining("is no time");
  }

  @Test
  void howLongAgoIsNoFinerThanWhatRecordsHave() {
    Clock fine = Clock.fixed(Instant.parse("2026-03-01T12:00:00.123456789Z"), ZoneOffset.UTC);
    assertThat(PointInTime.parse("9m", fine)).isEqualTo("2026-03-01T11:51:00.123Z");
  }

  @Test
  void whatIsNoTimeSaysHowToWriteOne() {
    assertThatThrownBy(() -> PointInTime.parse("yesterday", NOON))
        .hasMessage("'yesterday' is no time: write " + PointInTime.FORM);
  }
}
