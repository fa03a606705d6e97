package dev.berth.streams.lanes;

import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;

/** What the claims of a volume ask for. */
final class Requests {
  private Requests() {}

  static void requested(LanesDraft draft, LaneRequest request) {
    LaneRequest.Body body = request.body();
    if (body instanceof LaneRequest.Enqueue enqueue) {
      enqueue(draft, request, enqueue);
    } else if (body instanceof LaneRequest.Withdraw) {
      withdraw(draft, request);
    } else if (body instanceof LaneRequest.Wake wake) {
      wake(draft, request, wake.newBudget());
    } else if (body instanceof LaneRequest.ReserveExternalId reserve) {
      reserve(draft, request, reserve.externalVolume());
    } else if (body instanceof LaneRequest.ReleaseExternalId release) {
      release(draft, request, release.externalVolume());
    } else if (body instanceof LaneRequest.ReleaseSlot slot) {
      Slots.detached(draft, request.plugin(), slot.node(), slot.externalVolume());
      Listings.operated(draft, request.plugin(), slot.externalVolume());
    }
  }

  private static void enqueue(LanesDraft draft, LaneRequest request, LaneRequest.Enqueue enqueue) {
    LaneCall known = draft.get(LaneTables.REQUESTS, request.requestId());
    if (known != null) {
      answerAgain(draft, known);
      return;
    }
    PluginLanes plugin = draft.plugin(request.plugin()).withCall();
    LaneCall call =
        new LaneCall(
            request.requestId(),
            request.volumeKey(),
            request.plugin(),
            enqueue.call(),
            enqueue.takesSlot(),
            enqueue.restores(),
            enqueue.scheduler(),
            plugin.calls(),
            draft.now(),
            new Place.Queued("", 0),
            Budget.goingOn(enqueue.goesOn()),
            false,
            false);
    if (enqueue.takesSlot()) {
      if (!Slots.reserve(draft, call)) {
        refuse(draft, call);
        return;
      }
      draft.settle(call, new Settlement.Accepted());
    }
    draft.store(plugin);
    Retries.enterLane(draft, call);
  }

  /** The same request once more: answered as before, never made twice. */
  private static void answerAgain(LanesDraft draft, LaneCall known) {
    if (known.takesSlot()) {
      draft.settle(known, new Settlement.Accepted());
    }
    if (known.place() instanceof Place.Held held) {
      draft.settle(known, new Settlement.Held(held.hold(), known.mayHaveEffect()));
    }
  }

  private static void refuse(LanesDraft draft, LaneCall call) {
    String node = call.call().node();
    Long max = draft.maxVolumes(call.plugin(), node);
    draft.settle(
        call,
        new Settlement.SlotRefused(max == null ? 0 : max, draft.slotsInUse(call.plugin(), node)));
  }

  /**
   * Takes a call back. An open one cannot be taken back: its worker may be sending it; when it ends
   * it settles, or is withdrawn instead of tried again.
   */
  private static void withdraw(LanesDraft draft, LaneRequest request) {
    LaneCall call = draft.get(LaneTables.REQUESTS, request.requestId());
    if (call == null) {
      draft.emit(
          new LanesEffect.Settle(
              new Settlement(
                  request.requestId(),
                  request.volumeKey(),
                  request.plugin(),
                  null,
                  draft.now(),
                  new Settlement.Withdrawn(false))));
    } else if (call.place() instanceof Place.Open open) {
      draft.store(call.at(open.asWithdrawn()));
    } else {
      Retries.withdrawn(draft, call);
    }
  }

  private static void wake(LanesDraft draft, LaneRequest request, boolean newBudget) {
    LaneCall call = draft.get(LaneTables.REQUESTS, request.requestId());
    if (call == null) {
      return;
    }
    LaneCall woken = newBudget ? call.with(Budget.NEW) : call;
    if (call.place() instanceof Place.Held) {
      Retries.enterLane(draft, woken);
    } else {
      draft.store(woken);
    }
  }

  /**
   * One provider volume belongs to one registration, in whatever namespace: two would attach and
   * detach it behind each other's back.
   */
  private static void reserve(LanesDraft draft, LaneRequest request, String externalVolume) {
    String key = LaneTables.externalId(request.plugin(), externalVolume);
    ExternalIdHolder holder = draft.get(LaneTables.EXTERNAL_IDS, key);
    boolean free = holder == null || holder.volumeKey().equals(request.volumeKey());
    if (free) {
      draft.put(LaneTables.EXTERNAL_IDS, key, new ExternalIdHolder(request.volumeKey()));
    }
    draft.emit(
        new LanesEffect.Settle(
            new Settlement(
                request.requestId(),
                request.volumeKey(),
                request.plugin(),
                null,
                draft.now(),
                holder == null || free
                    ? new Settlement.ExternalIdReserved(externalVolume)
                    : new Settlement.ExternalIdTaken(externalVolume, holder.volumeKey()))));
  }

  private static void release(LanesDraft draft, LaneRequest request, String externalVolume) {
    String key = LaneTables.externalId(request.plugin(), externalVolume);
    ExternalIdHolder holder = draft.get(LaneTables.EXTERNAL_IDS, key);
    if (holder != null && holder.volumeKey().equals(request.volumeKey())) {
      draft.remove(LaneTables.EXTERNAL_IDS, key);
      draft.remove(LaneTables.LISTED, key);
    }
  }
}
