package dev.berth.bench.table;

import dev.berth.bench.table.TableVolume.Kind;
import java.util.Arrays;
import java.util.List;

/**
 * What is measured beside the others.
 *
 * @param kind of the volumes
 * @param contender what works
 */
record HopCase(Kind kind, Contender contender) {
  /** What works. */
  enum Contender {
    /** Berth. */
    BERTH("Berth"),
    /** The bare hop: all that Berth does to its stores and topics. */
    BARE("bare hop"),
    /** The bare hop without what Berth reads of its stores. */
    BARE_WRITES("bare hop, no row read");

    private final String words;

    Contender(String words) {
      this.words = words;
    }
  }

  /** All of them. */
  static List<HopCase> all() {
    return Arrays.stream(Kind.values())
        .flatMap(
            kind ->
                Arrays.stream(Contender.values()).map(contender -> new HopCase(kind, contender)))
        .toList();
  }

  @Override
  public String toString() {
    return kind.words() + ", " + contender.words;
  }
}
