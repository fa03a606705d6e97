package dev.berth.producers;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Numbers the statements of one scheduler. Not safe for use by several threads: numbering and
 * queueing a statement must be one step, or a lower number could be written after a higher one.
 */
final class Indexes {

  /** Enough for the allocs that change at a time; what is forgotten is not checked. */
  private static final int REMEMBERED = 50_000;

  private final IndexSource source;
  private final Clock clock;
  private final Map<String, Long> lastByUse = new LinkedHashMap<>(16, 0.75f, true);
  private long last;

  Indexes(IndexSource source, Clock clock) {
    this.source = source;
    this.clock = clock;
  }

  /**
   * Number of a claim. It must be higher than any of this alloc on this volume: Berth would ignore
   * the claim, and nobody would ever answer it.
   */
  long ofClaim(ClaimRequest request) {
    return ofClaims(List.of(request)).get(0);
  }

  /**
   * Numbers of claims that are made together, in their order. When one cannot be used none is: the
   * caller may use the numbers again for what it makes of them.
   */
  List<Long> ofClaims(List<ClaimRequest> requests) {
    if (source == IndexSource.CLOCK) {
      return requests.stream().map(request -> next(request.index())).toList();
    }
    Map<String, Long> taken = new LinkedHashMap<>();
    List<Long> numbers = new ArrayList<>();
    for (ClaimRequest request : requests) {
      String use = key(request.alloc(), request.namespace(), request.volume());
      long index = given(request.index());
      long before = taken.getOrDefault(use, lastByUse.getOrDefault(use, Long.MIN_VALUE));
      if (index <= before) {
        throw notHigher(index, request.alloc(), before, "higher than");
      }
      taken.put(use, index);
      numbers.add(index);
    }
    taken.forEach(this::remember);
    return numbers;
  }

  /**
   * Number of a statement about an alloc, the same for all its volumes. It may repeat the last one,
   * so that a caller can write again what may not have been written.
   */
  long ofStatement(Alloc alloc) {
    if (source == IndexSource.CLOCK) {
      return next(alloc.index());
    }
    long index = given(alloc.index());
    for (VolumeUse volume : alloc.volumes()) {
      long before =
          lastByUse.getOrDefault(
              key(alloc.id(), volume.namespace(), volume.volume()), Long.MIN_VALUE);
      if (index < before) {
        throw notHigher(index, alloc.id(), before, "at least");
      }
    }
    alloc
        .volumes()
        .forEach(volume -> remember(key(alloc.id(), volume.namespace(), volume.volume()), index));
    return index;
  }

  /** A number lower than all that follow; empty when the caller numbers. */
  OptionalLong reserve() {
    return source == IndexSource.CLOCK
        ? OptionalLong.of(next(OptionalLong.empty()))
        : OptionalLong.empty();
  }

  private long next(OptionalLong given) {
    if (given.isPresent()) {
      throw new InvalidEventException(
          "index",
          Long.toString(given.getAsLong()),
          "this scheduler's statements are numbered by clock; leave it out, or start the scheduler"
              + " with IndexSource.CALLER");
    }
    long now = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    last = Math.max(last + 1, now);
    return last;
  }

  private static long given(OptionalLong index) {
    return index.orElseThrow(
        () ->
            new InvalidEventException(
                "index",
                "is missing",
                "this scheduler numbers its statements itself; give one with at(…), or start the"
                    + " scheduler with IndexSource.CLOCK"));
  }

  private void remember(String use, long index) {
    lastByUse.put(use, index);
    if (lastByUse.size() > REMEMBERED) {
      var eldest = lastByUse.entrySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  private static InvalidEventException notHigher(
      long index, String alloc, long before, String must) {
    return new InvalidEventException(
        "index",
        Long.toString(index) + " of alloc '" + alloc + "'",
        "it must be " + must + " the last one, " + before);
  }

  private static String key(String alloc, String namespace, String volume) {
    return namespace + "/" + volume + "/" + alloc;
  }
}
