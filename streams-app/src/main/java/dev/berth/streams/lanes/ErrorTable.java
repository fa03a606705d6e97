package dev.berth.streams.lanes;

import static dev.berth.streams.lanes.ErrorTable.Verdict.DETACHED_UNLESS_POLICY_RETRIES;
import static dev.berth.streams.lanes.ErrorTable.Verdict.DETACHED_UNLESS_STILL_ADVERTISED;
import static dev.berth.streams.lanes.ErrorTable.Verdict.DONE;
import static dev.berth.streams.lanes.ErrorTable.Verdict.REJECT;
import static dev.berth.streams.lanes.ErrorTable.Verdict.REJECT_AFTER_THREE;
import static dev.berth.streams.lanes.ErrorTable.Verdict.REJECT_IF_FULL;
import static dev.berth.streams.lanes.ErrorTable.Verdict.RETRY;
import static dev.berth.streams.lanes.ErrorTable.Verdict.RETRY_PATIENTLY;
import static dev.berth.streams.lanes.ErrorTable.Verdict.STUCK;

import dev.berth.records.CsiCall;
import dev.berth.records.RpcCode;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What each gRPC code means for each CSI call: the table "Errors" of the domain rules. Which codes
 * a call may end with is said by the CSI specification under each RPC ("… Errors") and under "Error
 * Scheme"; what they are worth was learned from drivers.
 */
public final class ErrorTable {

  /** What follows from an answer. */
  public enum Verdict {
    /** The step is done. */
    DONE,
    /** Retried with backoff, counted toward the dead letter. */
    RETRY,
    /** Retried with backoff; counted only once it has lasted (aws-fsx-csi-driver#369). */
    RETRY_PATIENTLY,
    /** Rejected for lack of slots when the node has none free, else retried (K19a, K19b). */
    REJECT_IF_FULL,
    /** Retried until the third such answer, then rejected. */
    REJECT_AFTER_THREE,
    /** Rejected at once: waiting will not help. */
    REJECT,
    /** An operator is told at once; retried at the longest interval, never freed. */
    STUCK,
    /** Detached, unless the policy says that the plugin lies (external-attacher#164). */
    DETACHED_UNLESS_POLICY_RETRIES,
    /** Detached when live controllers do not advertise attach, else {@link #STUCK}. */
    DETACHED_UNLESS_STILL_ADVERTISED
  }

  /**
   * A row of the table.
   *
   * @param verdict what follows
   * @param uncertain whether a call that ends so may have had its effect
   */
  public record Rule(Verdict verdict, boolean uncertain) {}

  /** Attach. Uncertain are the four codes after which only an OK proves anything. */
  static final Map<RpcCode, Rule> ATTACH =
      table(
          row(RpcCode.OK, DONE, true),
          row(RpcCode.UNAVAILABLE, RETRY, true),
          row(RpcCode.DEADLINE_EXCEEDED, RETRY, true),
          row(RpcCode.ABORTED, RETRY_PATIENTLY, false),
          row(RpcCode.CANCELLED, RETRY, false),
          row(RpcCode.RESOURCE_EXHAUSTED, REJECT_IF_FULL, false),
          row(RpcCode.FAILED_PRECONDITION, RETRY, false),
          row(RpcCode.INTERNAL, REJECT_AFTER_THREE, true),
          row(RpcCode.UNKNOWN, REJECT_AFTER_THREE, true),
          row(RpcCode.DATA_LOSS, REJECT_AFTER_THREE, false),
          row(RpcCode.INVALID_ARGUMENT, REJECT, false),
          row(RpcCode.NOT_FOUND, REJECT, false),
          row(RpcCode.PERMISSION_DENIED, REJECT, false),
          row(RpcCode.UNAUTHENTICATED, REJECT, false),
          row(RpcCode.OUT_OF_RANGE, REJECT, false),
          row(RpcCode.ALREADY_EXISTS, REJECT, false),
          row(RpcCode.UNIMPLEMENTED, REJECT, false));

  /**
   * Attach once more what went while granted claims use it. Nobody waits for an answer who could be
   * told of a rejection, so what rejects an attach tells an operator instead, and it is tried on.
   */
  static final Map<RpcCode, Rule> ATTACH_AGAIN = neverRejecting(ATTACH);

  /**
   * Detach. Only OK and NOT_FOUND mean detached. Uncertain is whatever does not say that nothing
   * was done: a detach that was withdrawn after it is made good by an attach, which is harmless.
   */
  static final Map<RpcCode, Rule> DETACH =
      table(
          row(RpcCode.OK, DONE, true),
          row(RpcCode.NOT_FOUND, DETACHED_UNLESS_POLICY_RETRIES, true),
          row(RpcCode.UNAVAILABLE, RETRY, true),
          row(RpcCode.DEADLINE_EXCEEDED, RETRY, true),
          row(RpcCode.ABORTED, RETRY_PATIENTLY, false),
          row(RpcCode.CANCELLED, RETRY, true),
          row(RpcCode.RESOURCE_EXHAUSTED, RETRY, false),
          row(RpcCode.FAILED_PRECONDITION, RETRY, false),
          row(RpcCode.INTERNAL, RETRY, true),
          row(RpcCode.UNKNOWN, RETRY, true),
          row(RpcCode.DATA_LOSS, RETRY, true),
          row(RpcCode.ALREADY_EXISTS, RETRY, true),
          row(RpcCode.INVALID_ARGUMENT, STUCK, false),
          row(RpcCode.PERMISSION_DENIED, STUCK, false),
          row(RpcCode.UNAUTHENTICATED, STUCK, false),
          row(RpcCode.OUT_OF_RANGE, STUCK, false),
          row(RpcCode.UNIMPLEMENTED, DETACHED_UNLESS_STILL_ADVERTISED, false));

  /**
   * Unpublish and unstage on a node: OK and NOT_FOUND mean done (nomad#10927, S31), all else is
   * asked again.
   */
  static final Map<RpcCode, Rule> UNMOUNT = node(new Rule(DONE, true));

  /** Stage and publish on a node: only OK means done; an attach is never undone for them. */
  static final Map<RpcCode, Rule> MOUNT = node(new Rule(RETRY, true));

  /** Answers INTERNAL, UNKNOWN and DATA_LOSS that an attach bears; the last one rejects. */
  static final int UNCLEAR_ANSWERS = 3;

  private ErrorTable() {}

  /** The row for the answer to a call of the lanes. */
  static Rule rule(LaneCall call, RpcCode code) {
    return call.restores()
        ? ATTACH_AGAIN.getOrDefault(code, new Rule(RETRY, true))
        : rule(call.call().rpc(), code);
  }

  /** The row for the answer to a call. */
  public static Rule rule(CsiCall rpc, RpcCode code) {
    Map<RpcCode, Rule> table =
        switch (rpc) {
          case CONTROLLER_PUBLISH -> ATTACH;
          case CONTROLLER_UNPUBLISH -> DETACH;
          case NODE_STAGE, NODE_PUBLISH -> MOUNT;
          case NODE_UNPUBLISH, NODE_UNSTAGE -> UNMOUNT;
        };
    return table.getOrDefault(code, new Rule(RETRY, true));
  }

  private static Map<RpcCode, Rule> node(Rule notFound) {
    Map<RpcCode, Rule> rules = new EnumMap<>(RpcCode.class);
    for (RpcCode code : RpcCode.values()) {
      rules.put(code, new Rule(RETRY, true));
    }
    rules.put(RpcCode.OK, new Rule(DONE, true));
    rules.put(RpcCode.NOT_FOUND, notFound);
    rules.put(RpcCode.ABORTED, new Rule(RETRY_PATIENTLY, true));
    return Collections.unmodifiableMap(rules);
  }

  private static Map<RpcCode, Rule> neverRejecting(Map<RpcCode, Rule> table) {
    Map<RpcCode, Rule> rules = new EnumMap<>(table);
    rules.replaceAll(
        (code, rule) ->
            switch (rule.verdict()) {
              case REJECT -> new Rule(STUCK, rule.uncertain());
              case REJECT_AFTER_THREE, REJECT_IF_FULL -> new Rule(RETRY, rule.uncertain());
              case DONE,
                  RETRY,
                  RETRY_PATIENTLY,
                  STUCK,
                  DETACHED_UNLESS_POLICY_RETRIES,
                  DETACHED_UNLESS_STILL_ADVERTISED ->
                  rule;
            });
    return Collections.unmodifiableMap(rules);
  }

  private record Row(RpcCode code, Rule rule) {}

  private static Row row(RpcCode code, Verdict verdict, boolean uncertain) {
    return new Row(code, new Rule(verdict, uncertain));
  }

  private static Map<RpcCode, Rule> table(Row... rows) {
    Map<RpcCode, Rule> rules = new EnumMap<>(RpcCode.class);
    for (Row row : rows) {
      rules.put(row.code(), row.rule());
    }
    return Collections.unmodifiableMap(rules);
  }
}
