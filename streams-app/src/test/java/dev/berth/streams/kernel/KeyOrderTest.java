package dev.berth.streams.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Keys in memory")
class KeyOrderTest {
  private static final Table<String> TABLE = new Table<>("things", String.class);

  /** ASCII, behind it, behind the surrogates, beyond the basic plane. */
  private static final List<String> CHARACTERS =
      List.of("", "a", "/", "é", "\ue000", "\uff21", "😀", "𝒳");

  @Test
  @DisplayName("are in the order of their UTF-8, as stores have them")
  void order() {
    Random random = new Random(7);
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      StringBuilder key = new StringBuilder();
      for (int length = random.nextInt(5); length > 0; length--) {
        key.append(CHARACTERS.get(random.nextInt(CHARACTERS.size())));
      }
      keys.add(key.toString());
    }
    List<String> asStored = new ArrayList<>(keys);
    asStored.sort(
        (one, other) -> Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8)));

    keys.sort(KeyOrder.OF_STORES);

    assertThat(keys).isEqualTo(asStored);
  }

  @Test
  @DisplayName("are met once in a walk over what is stored and what is not yet")
  void walk() {
    MapState stored = new MapState();
    stored.apply(new Change.Put<>(TABLE, "p/😀", "beyond the plane"));
    Draft<Object> draft = new Draft<>(stored);
    draft.put(TABLE, "p/\uff21", "behind the surrogates");
    draft.put(TABLE, "p/a", "plain");

    List<String> met = new ArrayList<>();
    State.Entry<String> next = draft.first(TABLE, "p/");
    while (next != null && met.size() < 10) {
      met.add(next.value());
      next = draft.ceiling(TABLE, "p/", next.key() + '\0');
    }

    assertThat(met).containsExactly("plain", "behind the surrogates", "beyond the plane");
    assertThat(draft.scan(TABLE, "p/")).extracting(State.Entry::value).isEqualTo(met);
  }
}
