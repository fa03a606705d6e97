package dev.berth.ops.chaos;

import dev.berth.driver.calls.Call;
import dev.berth.driver.provider.ProviderSnapshot;
import dev.berth.records.Claim;
import dev.berth.records.ClaimDecision;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What is left of a run when it is over.
 *
 * @param calls the plugins' log
 * @param allowances when which controller call might be sent
 * @param attempts ids of all attempts that were given out, each time that they were
 * @param providers by plugin
 * @param decisions of the claims' history, in order within each volume
 * @param decidedAt moments of decisions, in order, by partition of the history
 * @param claims the table of claims
 * @param attachments keys of the table of attachments
 * @param lanes keys of {@code lane-status} under which calls wait or are out
 * @param strikes the faults as they were done
 * @param dead processes that ended by themselves, by name and exit status
 * @param outlived whether calls were told to go on after their callers had gone
 */
record Evidence(
    List<Call> calls,
    List<Allowance> allowances,
    List<String> attempts,
    Map<String, ProviderSnapshot> providers,
    List<ClaimDecision> decisions,
    Map<Integer, List<Instant>> decidedAt,
    Map<String, Claim> claims,
    List<String> attachments,
    List<String> lanes,
    List<Strikes.Done> strikes,
    List<String> dead,
    boolean outlived) {

  Evidence {
    calls = List.copyOf(calls);
    allowances = List.copyOf(allowances);
    attempts = List.copyOf(attempts);
    providers = Map.copyOf(providers);
    decisions = List.copyOf(decisions);
    decidedAt = Map.copyOf(decidedAt);
    claims = Map.copyOf(claims);
    attachments = List.copyOf(attachments);
    lanes = List.copyOf(lanes);
    strikes = List.copyOf(strikes);
    dead = List.copyOf(dead);
  }
}
