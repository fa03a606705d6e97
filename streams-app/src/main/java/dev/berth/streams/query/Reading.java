package dev.berth.streams.query;

import dev.berth.proto.api.Freshness;
import dev.berth.streams.kernel.State;
import java.time.Instant;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One look at one partition.
 *
 * @param state its tables
 * @param partition its number
 * @param now time of the look
 * @param sees whether the one who asks sees a namespace
 */
record Reading(State state, int partition, Instant now, Predicate<String> sees) {

  /** Whether a set of namespaces holds one. */
  static Predicate<String> seeing(Set<String> namespaces) {
    return namespace ->
        namespaces.contains(Caller.EVERY_NAMESPACE) || namespaces.contains(namespace);
  }

  /** How fresh an owner's answer is. */
  static Freshness owned(Instant now) {
    return Freshness.newBuilder().setAsOf(ProtoTime.timestamp(now)).setComplete(true).build();
  }

  /** How fresh the answer of a warm copy is: as fresh as an owner's when nothing is behind. */
  static Freshness copied(Instant now, long lag) {
    Freshness.Builder freshness =
        Freshness.newBuilder().setComplete(true).setStandby(true).setStandbyLag(lag);
    return lag == 0 ? freshness.setAsOf(ProtoTime.timestamp(now)).build() : freshness.build();
  }

  /** How fresh two answers are together. */
  static Freshness together(Freshness one, Freshness other) {
    Freshness.Builder both =
        Freshness.newBuilder()
            .setComplete(one.getComplete() && other.getComplete())
            .setStandby(one.getStandby() || other.getStandby())
            .setStandbyLag(Math.max(one.getStandbyLag(), other.getStandbyLag()))
            .addAllMissing(one.getMissingList())
            .addAllMissing(other.getMissingList());
    if (one.hasAsOf() && other.hasAsOf()) {
      boolean earlier =
          ProtoTime.instant(one.getAsOf()).isBefore(ProtoTime.instant(other.getAsOf()));
      both.setAsOf(earlier ? one.getAsOf() : other.getAsOf());
    }
    return both.build();
  }
}
