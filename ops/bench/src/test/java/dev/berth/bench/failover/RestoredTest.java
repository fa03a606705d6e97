package dev.berth.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestoredTest {
  private static final String WARM =
      "2030-01-01 INFO  streams-1-StateUpdater-1 o.a.k.s.p.internals.StoreChangelogReader"
          + " stream-thread [s] Finished restoring changelog berth-streams-lanes-changelog-0 to"
          + " store lanes with a total number of 0 records\n";
  private static final String COLD =
      WARM.replace("lanes", "volume-claims").replace("of 0 records", "of 11141 records");
  private static final String OTHER = "2030-01-01 INFO  Restored 5 records from changelog x\n";

  @Test
  @DisplayName("a warm store is taken over without records; what is on its way does not count")
  void counted() {
    assertThat(Restored.of(WARM + OTHER + COLD + COLD)).isEqualTo(new Restored(3, 22_282));
    assertThat(Restored.of("")).isEqualTo(Restored.NOTHING);
  }

  @Test
  @DisplayName("what a log said before does not count, nor that there was no log yet")
  void since(@TempDir Path folder) throws IOException {
    Path log = folder.resolve("streams-1.log");
    assertThat(Restored.end(log)).isZero();
    Files.writeString(log, COLD);
    long end = Restored.end(log);
    Files.writeString(log, COLD + WARM);

    assertThat(Restored.since(log, end)).isEqualTo(new Restored(1, 0));
    assertThat(Restored.since(log, 0)).isEqualTo(new Restored(2, 11_141));
  }
}
