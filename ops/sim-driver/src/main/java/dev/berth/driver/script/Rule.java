package dev.berth.driver.script;

import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.Rpc;
import io.grpc.Status;
import java.util.Optional;
import java.util.Set;

/**
 * What some calls get. Built from {@link #on} and the methods after it, each of which gives a new
 * rule:
 *
 * <pre>
 * {@code Rule.on(Rpc.CONTROLLER_PUBLISH).volume("vol-1").call(2).fail(UNAVAILABLE, "try again")}
 * </pre>
 *
 * @param rpcs the RPCs it is for; empty means all
 * @param volume the provider's volume id it is for; empty means all
 * @param node the provider's node id it is for; empty means all
 * @param first the first matching call it applies to, from 1, counted since the rule was added
 * @param last the last one
 * @param behaviour what happens
 * @param latency how long it takes; empty leaves it to the driver's own latency
 * @param finishAfterCancel whether the work goes on when the caller is gone
 */
public record Rule(
    Set<Rpc> rpcs,
    Optional<String> volume,
    Optional<String> node,
    long first,
    long last,
    Behaviour behaviour,
    Optional<Latency> latency,
    boolean finishAfterCancel) {

  public Rule {
    rpcs = Set.copyOf(rpcs);
    if (first < 1 || last < first) {
      throw new IllegalArgumentException(
          "calls %d to %d: the first is at least 1 and the last not before it"
              .formatted(first, last));
    }
  }

  /** A rule for these RPCs (none given: for all) that changes nothing yet. */
  public static Rule on(Rpc... rpcs) {
    return new Rule(
        Set.of(rpcs),
        Optional.empty(),
        Optional.empty(),
        1,
        Long.MAX_VALUE,
        new Behaviour.Answer(),
        Optional.empty(),
        false);
  }

  /** Only for this volume. */
  public Rule volume(String id) {
    return new Rule(
        rpcs, Optional.of(id), node, first, last, behaviour, latency, finishAfterCancel);
  }

  /** Only for this node. */
  public Rule node(String id) {
    return new Rule(
        rpcs, volume, Optional.of(id), first, last, behaviour, latency, finishAfterCancel);
  }

  /** Only for the {@code n}-th matching call. */
  public Rule call(long n) {
    return calls(n, n);
  }

  /** Only for the matching calls {@code from} to {@code to}, both included. */
  public Rule calls(long from, long to) {
    return new Rule(rpcs, volume, node, from, to, behaviour, latency, finishAfterCancel);
  }

  /** Refuse with this code. */
  public Rule fail(Status.Code code, String message) {
    return with(new Behaviour.Fail(code, message));
  }

  /** Do nothing and never answer. */
  public Rule hang() {
    return with(new Behaviour.Hang());
  }

  /** Do it and never answer. */
  public Rule loseReply() {
    return with(new Behaviour.LoseReply());
  }

  /** Do it and answer with this code. */
  public Rule failAfterEffect(Status.Code code, String message) {
    return with(new Behaviour.FailAfterEffect(code, message));
  }

  /** Answer a Probe with not ready. */
  public Rule notReady() {
    return with(new Behaviour.NotReady());
  }

  /** Take this long. */
  public Rule takes(Latency time) {
    return new Rule(
        rpcs, volume, node, first, last, behaviour, Optional.of(time), finishAfterCancel);
  }

  /** Go on with the work when the caller is gone. */
  public Rule finishingAfterCancel() {
    return new Rule(rpcs, volume, node, first, last, behaviour, latency, true);
  }

  private Rule with(Behaviour other) {
    return new Rule(rpcs, volume, node, first, last, other, latency, finishAfterCancel);
  }

  /** Whether the rule counts this call. */
  boolean matches(CallFacts facts) {
    return (rpcs.isEmpty() || rpcs.contains(facts.rpc()))
        && volume.map(facts.volume()::equals).orElse(true)
        && node.map(facts.node()::equals).orElse(true);
  }

  /** Whether the rule applies to the {@code n}-th call that it counts. */
  boolean appliesTo(long n) {
    return first <= n && n <= last;
  }
}
