package dev.berth.bench.measure;

import dev.berth.bench.machine.LoadMeter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures variants in turn, so that whatever changes on the machine meanwhile (heat, neighbours)
 * meets all of them: A B, B A, A B. Every other round goes backwards, because who comes first may
 * find colder caches each time.
 */
public final class Interleaving {
  private final LoadMeter load;
  private final Watch watch;

  /** Who is told what is measured next. */
  public interface Watch {
    /**
     * A repetition begins.
     *
     * @param done repetitions done so far, of all variants (count)
     * @param total repetitions there will be (count)
     * @param variant what is measured next
     */
    void next(int done, int total, Object variant);
  }

  /** What measures one repetition of a variant. */
  public interface Bench<V, R> {
    /**
     * Measures once.
     *
     * @throws Exception when it cannot be measured; ends the run
     */
    R measure(V variant) throws Exception;
  }

  /**
   * What a repetition gave.
   *
   * @param result result
   * @param foreign share of the machine that others used meanwhile; null when unknown
   * @param <R> type of the result
   */
  public record Measured<R>(R result, @Nullable Double foreign) {}

  /** Repetitions on this machine. */
  public Interleaving(LoadMeter load, Watch watch) {
    this.load = load;
    this.watch = watch;
  }

  /** The order of the repetitions. */
  public static <V> List<V> order(List<V> variants, int rounds) {
    List<V> order = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < variants.size(); i++) {
        order.add(variants.get(round % 2 == 0 ? i : variants.size() - 1 - i));
      }
    }
    return order;
  }

  /**
   * Measures every variant once in each round.
   *
   * @return results by variant, in the order of the variants; those of a variant in their order
   * @throws Exception what a repetition threw
   */
  public <V, R> Map<V, List<Measured<R>>> run(List<V> variants, int rounds, Bench<V, R> bench)
      throws Exception {
    Map<V, List<Measured<R>>> results = new LinkedHashMap<>();
    variants.forEach(variant -> results.put(variant, new ArrayList<>()));
    List<V> order = order(variants, rounds);
    for (int i = 0; i < order.size(); i++) {
      V variant = order.get(i);
      watch.next(i, order.size(), String.valueOf(variant));
      LoadMeter.Reading before = load.read();
      R result = bench.measure(variant);
      Double foreign = LoadMeter.foreign(before, load.read());
      results
          .computeIfAbsent(variant, unused -> new ArrayList<>())
          .add(new Measured<>(result, foreign));
    }
    return results;
  }
}
