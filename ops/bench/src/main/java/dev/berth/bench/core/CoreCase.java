package dev.berth.bench.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * One decision that is measured.
 *
 * @param decider who decides
 * @param event what, a name of the benchmark's enum
 * @param size claims on the volume, or calls in the lane (count)
 * @param others claims on other volumes, or calls of other plugins (count)
 */
record CoreCase(Decider decider, String event, int size, int others) {
  /** The deciders, each with its benchmark. */
  enum Decider {
    CLAIMS(ClaimsDecision.class, "claims"),
    LANES(LanesDecision.class, "calls");

    private final Class<?> benchmark;
    private final String sized;

    Decider(Class<?> benchmark, String sized) {
      this.benchmark = benchmark;
      this.sized = sized;
    }

    Class<?> benchmark() {
      return benchmark;
    }

    /** What its size counts; also the name of the benchmark's parameter. */
    String sized() {
      return sized;
    }

    List<String> events() {
      Enum<?>[] events =
          this == CLAIMS ? ClaimsDecision.Event.values() : LanesDecision.Event.values();
      return Stream.of(events).map(Enum::name).toList();
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Every case with one of these sizes and these others. */
  static List<CoreCase> all(List<Integer> sizes, List<Integer> others) {
    List<CoreCase> cases = new ArrayList<>();
    for (Decider decider : Decider.values()) {
      for (String event : decider.events()) {
        for (int size : sizes) {
          others.forEach(other -> cases.add(new CoreCase(decider, event, size, other)));
        }
      }
    }
    return cases;
  }

  /** The same with others, or without. */
  CoreCase beside(int otherwise) {
    return new CoreCase(decider, event, size, otherwise);
  }

  /** The same in another size. */
  CoreCase sized(int otherwise) {
    return new CoreCase(decider, event, otherwise, others);
  }

  String eventWord() {
    return event.toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s %s, %,d %s, %,d others",
        decider.word(),
        eventWord(),
        size,
        decider.sized(),
        others);
  }
}
