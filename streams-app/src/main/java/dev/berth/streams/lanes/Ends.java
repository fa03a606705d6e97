package dev.berth.streams.lanes;

import dev.berth.records.CallFate;
import dev.berth.records.HoldCode;
import dev.berth.records.NotSentReason;
import dev.berth.records.RejectCode;
import dev.berth.records.RpcCode;
import dev.berth.streams.policy.Policy.UnpublishNotFound;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.Settlement;

/** What follows from the end of a call: carries out {@link ErrorTable}. */
final class Ends {
  private Ends() {}

  /**
   * Settles a call that the plugin may have seen, or has it tried again later. Others of its run
   * may be open: nothing may be sent in its lane.
   *
   * @param sent the call as its worker got it
   */
  static void made(LanesDraft draft, LaneCall call, Call sent, CallEnd end) {
    if (call.call().toController()) {
      Listings.operated(draft, call.plugin(), call.call().externalVolume());
    }
    ErrorTable.Rule rule = ErrorTable.rule(call, end.code());
    LaneCall seen = end.code() == RpcCode.UNIMPLEMENTED ? call : call.asReached();
    LaneCall known = seen.withEffect(rule.uncertain() || end.fate() == CallFate.UNANSWERED);
    boolean done =
        switch (rule.verdict()) {
          case DONE -> true;
          case DETACHED_UNLESS_POLICY_RETRIES ->
              draft.policy(call).unpublishNotFound() == UnpublishNotFound.RELEASED;
          case DETACHED_UNLESS_STILL_ADVERTISED -> doesNotAttach(draft, call, end);
          case RETRY, RETRY_PATIENTLY, REJECT_IF_FULL, REJECT_AFTER_THREE, REJECT, STUCK -> false;
        };
    Breakers.ended(draft, call, end, done);
    if (done) {
      Settlement.Done settled =
          new Settlement.Done(end.code(), sent.readOnly(), end.publishContext());
      Retries.done(draft, known, settled);
    } else if (rejects(draft, known, rule.verdict())) {
      reject(draft, known, rule.verdict(), end);
    } else {
      retry(draft, known, failure(known, rule.verdict(), end));
    }
  }

  /** What the plugin said when it was asked right after the call; else what is known of it. */
  private static boolean doesNotAttach(LanesDraft draft, LaneCall call, CallEnd end) {
    Boolean attaches = end.attaches();
    return attaches == null ? Readiness.nothingToCall(draft.state(), call) : !attaches;
  }

  private static boolean rejects(LanesDraft draft, LaneCall call, ErrorTable.Verdict verdict) {
    return switch (verdict) {
      case REJECT -> true;
      case REJECT_IF_FULL -> Slots.full(draft, call);
      case REJECT_AFTER_THREE -> call.budget().unclear() + 1 >= ErrorTable.UNCLEAR_ANSWERS;
      case DONE,
          RETRY,
          RETRY_PATIENTLY,
          STUCK,
          DETACHED_UNLESS_POLICY_RETRIES,
          DETACHED_UNLESS_STILL_ADVERTISED ->
          false;
    };
  }

  /**
   * Ends an attach for good. Whatever the code, it may exist at the provider, so a detach is owed;
   * only a plugin that does not know the call cannot have attached; what an attempt before may have
   * done, by another instance perhaps, stays.
   */
  private static void reject(
      LanesDraft draft, LaneCall call, ErrorTable.Verdict verdict, CallEnd end) {
    boolean mayExist = call.owesUndoing();
    RejectCode code =
        verdict == ErrorTable.Verdict.REJECT_IF_FULL ? RejectCode.SLOTS : RejectCode.PLUGIN_ERROR;
    draft.settle(call, new Settlement.Failed(end.code(), end.message(), code, mayExist));
    draft.remove(call);
    Slots.attachEnded(draft, call, mayExist);
  }

  private static void retry(LanesDraft draft, LaneCall call, Failure failure) {
    if (call.withdrawn()) {
      Retries.withdrawn(draft, call);
    } else {
      boolean unclear =
          ErrorTable.rule(call, code(failure)).verdict() == ErrorTable.Verdict.REJECT_AFTER_THREE;
      LaneCall counted = unclear ? call.with(call.budget().withUnclear()) : call;
      Retries.fail(draft, counted, failure);
    }
  }

  /**
   * A call that the plugin never saw: the next instance at once, before the lane moves on (S49).
   * Its lane is free by now.
   */
  static void neverMade(LanesDraft draft, LaneCall call, Place.Open open, CallEnd end) {
    if (call.call().toController()) {
      Listings.operated(draft, call.plugin(), call.call().externalVolume());
    }
    if (end.notSent() == NotSentReason.INVALID) {
      invalid(draft, call, end);
    } else if (end.notSent() == NotSentReason.SECRET_UNAVAILABLE) {
      retry(
          draft,
          call,
          new Failure(HoldCode.SECRET_UNAVAILABLE, end.message(), null, Failure.Kind.SECRET));
    } else {
      nextInstance(draft, call, open, end);
    }
  }

  private static void nextInstance(LanesDraft draft, LaneCall call, Place.Open open, CallEnd end) {
    PluginLanes.Pause pause = draft.plugin(call.plugin()).pause();
    if (pause != null && !call.withdrawn()) {
      Retries.holdPaused(draft, call, pause);
    } else if (call.withdrawn() || !LaneTurns.tryNextInstance(draft, call, open)) {
      retry(draft, call, failure(call, ErrorTable.Verdict.RETRY, unavailable(end)));
    }
  }

  /**
   * The worker refused to send the call as it stands: an attach that somebody waits for ends, all
   * else needs an operator.
   */
  private static void invalid(LanesDraft draft, LaneCall call, CallEnd end) {
    if (call.kind() == LaneKind.ATTACH && !call.restores()) {
      reject(draft, call, ErrorTable.Verdict.REJECT, end);
    } else {
      retry(draft, call, failure(call, ErrorTable.Verdict.STUCK, end));
    }
  }

  private static Failure failure(LaneCall call, ErrorTable.Verdict verdict, CallEnd end) {
    Failure.Kind kind =
        switch (verdict) {
          case RETRY_PATIENTLY -> Failure.Kind.BUSY;
          case STUCK, DETACHED_UNLESS_STILL_ADVERTISED -> Failure.Kind.DEFINITE;
          case DONE,
              RETRY,
              REJECT_IF_FULL,
              REJECT_AFTER_THREE,
              REJECT,
              DETACHED_UNLESS_POLICY_RETRIES ->
              Failure.Kind.ORDINARY;
        };
    return new Failure(holdCode(call, end.code()), end.message(), end.code(), kind);
  }

  private static HoldCode holdCode(LaneCall call, RpcCode code) {
    return switch (code) {
      case DEADLINE_EXCEEDED -> HoldCode.TIMEOUT;
      case UNIMPLEMENTED -> HoldCode.UNIMPLEMENTED;
      default -> call.call().toController() ? HoldCode.CONTROLLER_ERROR : HoldCode.NODE_ERROR;
    };
  }

  private static RpcCode code(Failure failure) {
    RpcCode code = failure.rpcCode();
    return code == null ? RpcCode.UNAVAILABLE : code;
  }

  private static CallEnd unavailable(CallEnd end) {
    return new CallEnd(
        end.fate(),
        end.notSent(),
        RpcCode.UNAVAILABLE,
        end.message(),
        end.publishContext(),
        end.startedAt(),
        end.endedAt());
  }
}
