package dev.berth.streams.claims;

/**
 * Numbers given out for a volume. They outlive its registration: none is given twice.
 *
 * @param nextGeneration next claim or attachment generation (count from 1)
 * @param nextRequest next lane request (count from 1)
 */
public record Counters(long nextGeneration, long nextRequest) {
  static final Counters START = new Counters(1, 1);
}
