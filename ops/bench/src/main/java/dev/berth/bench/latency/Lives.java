package dev.berth.bench.latency;

import dev.berth.bench.load.OpenLoad;
import dev.berth.bench.system.BenchVolume;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The lives of allocs as an open load: claims and ends in turn, each alloc ends some time after it
 * has claimed. What is sent in the first seconds is not measured.
 *
 * @param perSecond claims and ends together (count)
 * @param length for how long claims are made
 * @param life how long an alloc lives; long enough to be granted, for a claim whose alloc has ended
 *     is rejected
 */
public record Lives(int perSecond, Duration length, Duration life) {
  private static final Duration WARM_UP = Duration.ofSeconds(3);

  /** What is to be sent. */
  public sealed interface Request {
    /** A claim on a volume. */
    record Claim(int volume) implements Request {}

    /** The end of the alloc that uses a volume. */
    record End(int volume) implements Request {}

    /** Nothing: nobody lives yet who could end, or nobody is to be born any more. */
    record Nothing() implements Request {}
  }

  /** How many volumes it takes (count). */
  int volumes() {
    return Math.max(1, (int) (perSecond * length.toSeconds() / 2));
  }

  /** The whole of it, until the last alloc has ended. */
  OpenLoad load() {
    return new OpenLoad(perSecond, 2 * (volumes() + lag()));
  }

  /** What is sent as number so-and-so. */
  Request request(int number) {
    int half = number / 2;
    if (number % 2 == 0) {
      return half < volumes() ? new Request.Claim(half) : new Request.Nothing();
    }
    return half >= lag() ? new Request.End(half - lag()) : new Request.Nothing();
  }

  /** Whether a request is measured. */
  boolean measured(int number) {
    return load().due(number).compareTo(WARM_UP) >= 0;
  }

  /** By how many claims the end of an alloc comes later than its own. */
  private int lag() {
    return Math.max(1, (int) (perSecond * life.toMillis() / 2000));
  }

  /** The volumes of a repetition, spread over plugins; their names begin with the plugin's. */
  public List<BenchVolume> on(List<String> plugins, String node) {
    return IntStream.range(0, volumes())
        .mapToObj(
            i -> {
              String plugin = plugins.get(i % plugins.size());
              return new BenchVolume("%s.%d-%d".formatted(plugin, perSecond, i), plugin, node, 1);
            })
        .toList();
  }
}
