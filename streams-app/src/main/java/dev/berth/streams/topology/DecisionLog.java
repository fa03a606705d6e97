package dev.berth.streams.topology;

import dev.berth.streams.claims.ClaimsDecider;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.claims.DeadLetter;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.lanes.LanesEffect;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decisions in the log, a line for each thing that follows: at debug, and at info what an operator
 * is told. The keys are the fixed ones, so that one grep or filter follows a volume, an alloc or an
 * attempt through all processes. What a call carries is left out: it may be secret.
 */
final class DecisionLog {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);

  private DecisionLog() {}

  /** Tells of a decision about a volume. */
  static void tell(ClaimsEvent event, Decision<ClaimsEffect> decision) {
    decision.effects().forEach(effect -> tell(event, effect));
  }

  private static void tell(ClaimsEvent event, ClaimsEffect effect) {
    if (effect instanceof ClaimsEffect.Stuck stuck) {
      DeadLetter letter = stuck.letter();
      LOG.info(
          "claim is stuck volume={} alloc={} plugin={} node={} code={} attempts={}",
          letter.key(),
          orNone(letter.alloc()),
          letter.plugin(),
          letter.node(),
          letter.hold().code(),
          letter.hold().attempts());
    } else if (effect instanceof ClaimsEffect.Resolved resolved) {
      LOG.info(
          "claim goes on volume={} alloc={} plugin={} node={} how={}",
          resolved.letter().key(),
          orNone(resolved.letter().alloc()),
          resolved.letter().plugin(),
          resolved.letter().node(),
          resolved.how());
    } else if (effect instanceof ClaimsEffect.Happened it
        && it.name().equals(ClaimsDecider.UNSETTLED)) {
      LOG.error("decision does not come to rest volume={} event={}", event.key(), event);
    } else if (!LOG.isDebugEnabled()) {
      return;
    } else if (effect instanceof ClaimsEffect.Replied replied) {
      LOG.debug(
          "claim replied volume={} alloc={} node={} outcome={} code={}",
          replied.key(),
          replied.alloc(),
          replied.ask().node(),
          replied.outcome(),
          orNone(replied.code()));
    } else if (effect instanceof ClaimsEffect.Requested requested) {
      asked(event, requested.request());
    }
  }

  private static void asked(ClaimsEvent event, LaneRequest request) {
    Call call = request.body() instanceof LaneRequest.Enqueue enqueue ? enqueue.call() : null;
    LOG.debug(
        "lane asked volume={} alloc={} plugin={} node={} request={} asked={} rpc={}",
        event.key(),
        orNone(call == null ? null : call.alloc()),
        request.plugin(),
        orNone(call == null ? null : call.node()),
        request.requestId(),
        request.body().getClass().getSimpleName(),
        orNone(call == null ? null : call.rpc()));
  }

  /** Tells of a decision about lanes. */
  static void tell(Decision<LanesEffect> decision) {
    if (!LOG.isDebugEnabled()) {
      return;
    }
    for (LanesEffect effect : decision.effects()) {
      if (effect instanceof LanesEffect.Dispatch dispatch) {
        dispatched(dispatch.work());
      } else if (effect instanceof LanesEffect.Settle settle) {
        Settlement settlement = settle.settlement();
        LOG.debug(
            "lane settled volume={} plugin={} request={} as={}",
            settlement.volumeKey(),
            settlement.plugin(),
            settlement.requestId(),
            settlement.body().getClass().getSimpleName());
      }
    }
  }

  private static void dispatched(Work work) {
    for (Work.WorkCall each : work.calls()) {
      Call call = each.call();
      LOG.debug(
          "call dispatched volume={}/{} alloc={} plugin={} node={} attempt={} lane={} request={} rpc={}",
          call.namespace(),
          call.volume(),
          orNone(call.alloc()),
          work.plugin(),
          call.node(),
          work.attemptId(),
          work.lane(),
          each.requestId(),
          call.rpc());
    }
  }

  private static Object orNone(@Nullable Object value) {
    return value == null ? "-" : value;
  }
}
