package dev.berth.streams.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A decision in the making")
class DraftTest {
  private static final Table<String> WORDS = new Table<>("words", String.class);

  private final MapState base = new MapState();

  DraftTest() {
    base.apply(new Change.Put<>(WORDS, "a", "old"));
    base.apply(new Change.Put<>(WORDS, "c", "old"));
  }

  @Test
  @DisplayName("leaves no change where a row ends as it began")
  void nothingChanged() {
    Draft<String> draft = new Draft<>(base);
    draft.put(WORDS, "a", "new");
    draft.put(WORDS, "a", "old");
    draft.put(WORDS, "b", "new");
    draft.remove(WORDS, "b");
    draft.remove(WORDS, "c");
    draft.put(WORDS, "c", "old");
    draft.remove(WORDS, "nothing");

    assertThat(draft.decision().changes()).isEmpty();
    assertThat(draft.get(WORDS, "a")).isEqualTo("old");
    assertThat(draft.get(WORDS, "b")).isNull();
    assertThat(draft.scan(WORDS, "")).isEqualTo(base.scan(WORDS, ""));
  }

  @Test
  @DisplayName("changes each row once, to what it was given last")
  void lastWins() {
    Draft<String> draft = new Draft<>(base);
    draft.put(WORDS, "a", "new");
    draft.put(WORDS, "a", "newer");
    draft.put(WORDS, "b", "new");
    draft.put(WORDS, "c", "new");
    draft.remove(WORDS, "c");

    assertThat(draft.decision().changes())
        .containsExactly(
            new Change.Put<>(WORDS, "a", "newer"),
            new Change.Put<>(WORDS, "b", "new"),
            new Change.Remove(WORDS, "c"));
  }

  @Test
  @DisplayName("asks the base for a row only once")
  void asksOnce() {
    List<String> asked = new ArrayList<>();
    Draft<String> draft =
        new Draft<>(
            new State() {
              @Override
              public <V> V get(Table<V> table, String key) {
                asked.add(key);
                return base.get(table, key);
              }

              @Override
              public <V> List<Entry<V>> scan(Table<V> table, String prefix) {
                return base.scan(table, prefix);
              }

              @Override
              public <V> Entry<V> ceiling(Table<V> table, String prefix, String from) {
                return base.ceiling(table, prefix, from);
              }
            });
    draft.scan(WORDS, "c");
    draft.get(WORDS, "c");
    draft.get(WORDS, "nothing");
    draft.get(WORDS, "nothing");
    draft.put(WORDS, "a", "new");
    draft.remove(WORDS, "a");

    assertThat(asked).containsExactly("nothing", "a");
  }
}
