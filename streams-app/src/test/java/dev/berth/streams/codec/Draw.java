package dev.berth.streams.codec;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Draws values of every shape from a seeded source: also empty, long and odd ones.
 *
 * @param random source
 */
record Draw(Random random) {
  private static final List<String> WORDS =
      List.of("", "a", "vol-1", "ebs.csi.aws.com", "n/1", "Ünïcode ✓", "with space", "\u0000", "=");

  String text() {
    return random.nextInt(10) == 0
        ? "x".repeat(random.nextInt(5000))
        : WORDS.get(random.nextInt(WORDS.size())) + random.nextInt(3);
  }

  boolean flag() {
    return random.nextBoolean();
  }

  long number() {
    return random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(100);
  }

  /** A time of whole milliseconds, as topics carry it. */
  Instant time() {
    return random.nextInt(8) == 0
        ? Instant.ofEpochMilli(random.nextLong())
        : Instant.EPOCH.plus(Duration.ofMillis(random.nextInt()));
  }

  <T> @Nullable T orNull(Supplier<? extends T> value) {
    return flag() ? value.get() : null;
  }

  <T> List<T> list(Supplier<? extends T> value) {
    List<T> drawn = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      drawn.add(value.get());
    }
    return drawn;
  }

  Map<String, String> texts() {
    return map(this::text);
  }

  <T> Map<String, T> map(Supplier<? extends T> value) {
    Map<String, T> drawn = new TreeMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      drawn.put(text(), value.get());
    }
    return drawn;
  }

  <E extends Enum<E>> E of(Class<E> type) {
    E[] constants = type.getEnumConstants();
    return constants[random.nextInt(constants.length)];
  }

  @SafeVarargs
  final <T> T oneOf(Supplier<? extends T>... values) {
    return values[random.nextInt(values.length)].get();
  }
}
