package dev.berth.bench.failover;

import dev.berth.bench.failover.Victim.Way;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * How one kill was felt: by claims that were asked after it and whose way leads through the victim,
 * each time from the kill to the first of them, on the way that waited longest. Pure.
 *
 * @param decision to the first decision
 * @param call to the first attach that the plugin saw
 * @param grant to the first grant that the scheduler was told
 * @param restored what those who took over had to read back into their stores
 * @param serving how long the process was away; zero for one that stays away while it is measured
 * @param callsPerSecond controller calls of the victim's plugins in each second from the kill
 * @param complete whether everything came; what did not counts as long as it was waited for
 */
record FailoverRun(
    Duration decision,
    Duration call,
    Duration grant,
    Restored restored,
    Duration serving,
    List<Integer> callsPerSecond,
    boolean complete) {
  FailoverRun {
    callsPerSecond = List.copyOf(callsPerSecond);
  }

  /**
   * What is known after a kill.
   *
   * @param kill when it was done
   * @param victim what was killed
   * @param claims all claims of the load
   * @param decisions by volume: when it was decided about, in order
   * @param attaches by volume: when its plugin was asked to attach it, in order
   * @param calls when the victim's plugins were asked to attach or detach anything
   */
  record Evidence(
      Instant kill,
      Victim victim,
      List<Claimed> claims,
      Map<String, List<Instant>> decisions,
      Map<String, List<Instant>> attaches,
      List<Instant> calls) {
    Evidence {
      claims = List.copyOf(claims);
      decisions = Map.copyOf(decisions);
      attaches = Map.copyOf(attaches);
      calls = List.copyOf(calls);
    }
  }

  /**
   * What it says.
   *
   * @param ways those that lead through the victim
   * @param restored as above
   * @param serving as above
   * @param waited how long was waited for all of it
   * @param seconds how many seconds of calls are counted
   */
  static FailoverRun of(
      Evidence evidence,
      Collection<Way> ways,
      Restored restored,
      Duration serving,
      Duration waited,
      int seconds) {
    Optional<Duration> decision =
        longest(evidence, ways, claim -> next(evidence.decisions(), claim));
    Optional<Duration> call = longest(evidence, ways, claim -> next(evidence.attaches(), claim));
    Optional<Duration> grant = longest(evidence, ways, Claimed::granted);
    return new FailoverRun(
        decision.orElse(waited),
        call.orElse(waited),
        grant.orElse(waited),
        restored,
        serving,
        perSecond(evidence.kill(), evidence.calls(), seconds),
        decision.isPresent() && call.isPresent() && grant.isPresent());
  }

  /** The ways on which a claim that was asked after a kill has been granted. */
  static List<Way> granted(Instant kill, Victim victim, Collection<Claimed> claims) {
    return claims.stream()
        .filter(claim -> !claim.at().isBefore(kill) && claim.granted().isPresent())
        .map(claim -> victim.way(claim.volume()))
        .distinct()
        .toList();
  }

  /** Empty when it did not happen on one of the ways. */
  private static Optional<Duration> longest(
      Evidence evidence, Collection<Way> ways, Function<Claimed, Optional<Instant>> happened) {
    Map<Way, Instant> first = new HashMap<>();
    for (Claimed claim : evidence.claims()) {
      if (!claim.at().isBefore(evidence.kill()) && evidence.victim().serves(claim.volume())) {
        happened
            .apply(claim)
            .ifPresent(
                at ->
                    first.merge(
                        evidence.victim().way(claim.volume()),
                        at,
                        (one, other) -> one.isBefore(other) ? one : other));
      }
    }
    return first.keySet().containsAll(ways)
        ? first.values().stream()
            .max(Instant::compareTo)
            .map(at -> Duration.between(evidence.kill(), at))
        : Optional.empty();
  }

  /** Times of records are whole milliseconds. */
  private static Optional<Instant> next(Map<String, List<Instant>> moments, Claimed claim) {
    Instant asked = claim.at().truncatedTo(ChronoUnit.MILLIS);
    return moments.getOrDefault(claim.volume().id(), List.of()).stream()
        .filter(at -> !at.isBefore(asked))
        .findFirst();
  }

  private static List<Integer> perSecond(Instant kill, List<Instant> calls, int seconds) {
    return IntStream.range(0, seconds)
        .map(
            second ->
                (int)
                    calls.stream()
                        .filter(at -> !at.isBefore(kill))
                        .filter(at -> Duration.between(kill, at).toSeconds() == second)
                        .count())
        .boxed()
        .toList();
  }
}
