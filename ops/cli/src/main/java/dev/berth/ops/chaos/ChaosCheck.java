package dev.berth.ops.chaos;

import dev.berth.driver.audit.CallAudit;
import dev.berth.driver.audit.Expectations;
import dev.berth.driver.audit.Finding;
import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.Rpc;
import dev.berth.records.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Whether a run was right. Pure: holds the topics against the plugins' log and the providers.
 *
 * @param problems what was wrong, with the evidence, a line each
 * @param lateSends controller calls that were sent outside the time of every acceptance (count);
 *     each is also among the problems or apart
 * @param apart what nothing can exclude, a line each: calls sent by a process that had been stopped
 *     between its last check of the time allowed and the send, with what they overlapped, and,
 *     where calls were told to outlive their callers, what such calls left at the provider
 */
record ChaosCheck(List<String> problems, int lateSends, List<String> apart) {

  /** A process that goes on after SIGCONT sends at once what it had checked before the stop. */
  private static final Duration AFTER_WAKING = Duration.ofSeconds(1);

  ChaosCheck {
    problems = List.copyOf(problems);
    apart = List.copyOf(apart);
  }

  /** Checks all rules. */
  static ChaosCheck of(Evidence evidence) {
    List<String> problems = new ArrayList<>();
    List<String> apart = new ArrayList<>();
    List<Call> late =
        LateSends.of(
            evidence.calls(), evidence.allowances(), call -> isSentOnWaking(call, evidence));
    for (Finding finding :
        CallAudit.audit(evidence.calls(), evidence.providers(), Expectations.strict())) {
      (isApart(finding, late, evidence) ? apart : problems).add(finding.evidence());
    }
    late.forEach(
        call -> (isSentOnWaking(call, evidence) ? apart : problems).add(text(call, evidence)));
    mounts(evidence, problems);
    openCalls(evidence, problems);
    nodeCallsTogether(evidence, problems, apart);
    attempts(evidence, problems);
    liveClaims(evidence, problems, apart);
    tables(evidence, problems);
    evidence.dead().forEach(name -> problems.add("process " + name + " ended by itself"));
    return new ChaosCheck(problems, late.size(), apart);
  }

  private static boolean isApart(Finding finding, List<Call> late, Evidence evidence) {
    if (finding instanceof Finding.TooManyOpen together) {
      return together.calls().stream()
          .anyMatch(call -> late.contains(call) && isSentOnWaking(call, evidence));
    }
    return evidence.outlived() && finding instanceof Finding.LeftAttached;
  }

  private static String text(Call call, Evidence evidence) {
    boolean inTime = evidence.allowances().stream().anyMatch(allowance -> allowance.covers(call));
    return (inTime
            ? "a call was sent more often than it was accepted: "
            : "a call was sent outside the time allowed: ")
        + call.describe();
  }

  private static boolean isSentOnWaking(Call call, Evidence evidence) {
    return evidence.strikes().stream()
        .filter(done -> done.fault().kind() == Fault.Kind.STOP)
        .filter(done -> Cluster.WORKERS.contains(done.fault().target()))
        .map(Strikes.Done::ended)
        .anyMatch(woken -> isWithin(call.startedAt(), woken, woken.plus(AFTER_WAKING)));
  }

  private static boolean isWithin(Instant moment, Instant from, Instant to) {
    return !moment.isBefore(from) && moment.isBefore(to);
  }

  private static void mounts(Evidence evidence, List<String> problems) {
    evidence
        .providers()
        .forEach(
            (plugin, provider) ->
                provider
                    .mounts()
                    .forEach(
                        mount ->
                            problems.add(
                                "volume %s of plugin %s is still mounted on node %s"
                                    .formatted(mount.volume(), plugin, mount.node()))));
  }

  private static void openCalls(Evidence evidence, List<String> problems) {
    evidence.calls().stream()
        .filter(Call::isOpen)
        .map(call -> "a call never ended: " + call.describe())
        .forEach(problems::add);
  }

  /**
   * An attempt is given out once: no work is lost from the topic in a run. One that comes again
   * shows that the lanes have gone back to an earlier state.
   */
  private static void attempts(Evidence evidence, List<String> problems) {
    Set<String> known = new HashSet<>();
    evidence.attempts().stream()
        .filter(attempt -> !known.add(attempt))
        .map(attempt -> "attempt " + attempt + " was given out a second time")
        .forEach(problems::add);
  }

  /** The calls of one volume on one node come one at a time, whichever worker makes them. */
  private static void nodeCallsTogether(
      Evidence evidence, List<String> problems, List<String> apart) {
    Map<String, List<Call>> byVolumeOnNode = new TreeMap<>();
    for (Call call : evidence.calls()) {
      CallFacts facts = call.facts();
      if (facts.rpc().isNodeWork()) {
        List<Call> earlier =
            byVolumeOnNode.computeIfAbsent(
                String.join("/", facts.plugin(), facts.volume(), facts.node()),
                lane -> new ArrayList<>());
        for (Call open : earlier) {
          if (open.isOpenAt(call.number())) {
            boolean woken = isSentOnWaking(open, evidence) || isSentOnWaking(call, evidence);
            (woken ? apart : problems)
                .add(
                    "two node calls of one volume were open together: %s, %s"
                        .formatted(open.describe(), call.describe()));
          }
        }
        earlier.add(call);
      }
    }
  }

  /**
   * No detach is open while a claim of its volume on its node is granted and has not ended, neither
   * when it begins nor when the claim is granted. One that outlived its caller is known to no
   * worker.
   */
  private static void liveClaims(Evidence evidence, List<String> problems, List<String> apart) {
    List<ClaimsFold.Live> lives = ClaimsFold.of(evidence.decisions()).lives();
    for (Call call : evidence.calls()) {
      if (call.facts().rpc() == Rpc.CONTROLLER_UNPUBLISH) {
        List<ClaimsFold.Live> there =
            lives.stream()
                .filter(live -> Load.externalId(live.volume()).equals(call.facts().volume()))
                .filter(live -> Cluster.externalNode(live.node()).equals(call.facts().node()))
                .toList();
        there.stream()
            .filter(live -> live.holdsAt(call.startedAt()))
            .map(live -> "a detach under the live claim of %s: ".formatted(live.alloc()))
            .map(text -> text + call.describe())
            .forEach(problems::add);
        there.stream()
            .filter(live -> isOpenAt(call, live.from()))
            .map(live -> "the claim of %s was granted during a detach: ".formatted(live.alloc()))
            .map(text -> text + call.describe())
            .forEach(text -> (evidence.outlived() ? apart : problems).add(text));
      }
    }
  }

  private static boolean isOpenAt(Call call, Instant moment) {
    return !moment.isBefore(call.startedAt())
        && call.end().map(end -> moment.isBefore(end.at())).orElse(true);
  }

  /** All allocs have ended, so that nothing explains a row; and the history tells the same. */
  private static void tables(Evidence evidence, List<String> problems) {
    Map<String, Claim> folded = ClaimsFold.of(evidence.decisions()).rows();
    TreeSet<String> keys = new TreeSet<>(folded.keySet());
    keys.addAll(evidence.claims().keySet());
    for (String key : keys) {
      Claim row = evidence.claims().get(key);
      if (row != null) {
        problems.add(
            "the claim table still holds %s, %s, though its alloc has ended"
                .formatted(key, row.getState()));
      }
      if (row == null ? folded.containsKey(key) : !row.equals(folded.get(key))) {
        problems.add(
            "claim %s differs: the table has %s, the history %s"
                .formatted(
                    key,
                    row == null ? "none" : row.getState(),
                    folded.containsKey(key) ? folded.get(key).getState() : "none"));
      }
    }
    evidence.attachments().forEach(key -> problems.add("the attachments still hold " + key));
    evidence.lanes().forEach(key -> problems.add("the lanes still show calls of " + key));
  }
}
