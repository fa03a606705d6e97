package dev.berth.bench.measure;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * One thing that was measured several times.
 *
 * @param name what
 * @param unit unit of its values
 * @param repetitions what each repetition gave, in their order; at least one
 */
public record Measure(String name, String unit, List<Repetition> repetitions) {
  /** Keeps a copy and refuses a measure of nothing. */
  public Measure {
    repetitions = List.copyOf(repetitions);
    if (repetitions.isEmpty()) {
      throw new IllegalArgumentException(
          "repetitions is empty: '" + name + "' was not measured, leave it out");
    }
  }

  /** Of values that nobody else on the machine can change, as in virtual time. */
  public static Measure exact(String name, String unit, List<Double> values) {
    return new Measure(
        name, unit, values.stream().map(value -> new Repetition(value, null)).toList());
  }

  /** Of what repetitions gave, with the share of others in each. */
  public static <R> Measure of(
      String name,
      String unit,
      List<Interleaving.Measured<R>> measured,
      ToDoubleFunction<R> value) {
    return new Measure(
        name,
        unit,
        measured.stream()
            .map(it -> new Repetition(value.applyAsDouble(it.result()), it.foreign()))
            .toList());
  }

  /** The values together. */
  public Spread spread() {
    return Spread.of(repetitions.stream().map(Repetition::value).toList());
  }

  /** The shares of others together; empty when none is known. */
  public Optional<Spread> foreign() {
    List<Double> known =
        repetitions.stream().map(Repetition::foreign).filter(Objects::nonNull).toList();
    return known.isEmpty() ? Optional.empty() : Optional.of(Spread.of(known));
  }
}
