package dev.berth.ops.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowsTest {
  private static final List<Table<String>> TABLES =
      List.of(new Table<>("a", String.class), new Table<>("ab", String.class));

  @Test
  void readsAsTheStateOfTheSameChanges() {
    Random random = new Random(1);
    Rows rows = Rows.NONE;
    MapState state = new MapState();
    for (int i = 0; i < 500; i++) {
      List<Change> changes = new ArrayList<>();
      Table<String> table = TABLES.get(random.nextInt(2));
      String key = "k" + random.nextInt(30);
      changes.add(
          random.nextInt(3) == 0
              ? new Change.Remove(table, key)
              : new Change.Put<>(table, key, "v" + random.nextInt(5)));
      rows = rows.with(changes);
      state.applyAll(changes);
      assertThat(read(rows)).isEqualTo(read(state));
    }
  }

  @Test
  void isEqualToRowsMadeInAnotherOrder() {
    Change one = new Change.Put<>(TABLES.get(0), "k1", "v");
    Change other = new Change.Put<>(TABLES.get(1), "k0", "v");

    Rows rows = Rows.NONE.with(List.of(one)).with(List.of(other));

    assertThat(rows)
        .isEqualTo(Rows.NONE.with(List.of(other, one)))
        .hasSameHashCodeAs(Rows.NONE.with(List.of(other, one)));
  }

  private static List<Object> read(State state) {
    List<Object> read = new ArrayList<>();
    for (Table<String> table : TABLES) {
      for (String prefix : List.of("", "k", "k1", "k2", "x")) {
        read.add(state.scan(table, prefix));
        read.add(String.valueOf(state.ceiling(table, prefix, prefix + "5")));
      }
      read.add(String.valueOf(state.get(table, "k7")));
    }
    return read;
  }
}
