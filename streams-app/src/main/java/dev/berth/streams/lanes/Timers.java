package dev.berth.streams.lanes;

import dev.berth.streams.kernel.State;

/** What has been waited for: retries of held calls, and looks at open attempts. */
final class Timers {
  private Timers() {}

  /** Carries out what is due. */
  static void due(LanesDraft draft) {
    State.Entry<DueItem> entry = draft.state().first(LaneTables.DUE, "");
    while (entry != null && LaneTables.isDue(entry.key(), draft.now())) {
      draft.remove(LaneTables.DUE, entry.key());
      look(draft, entry.value());
      // Whatever the item did, what is due again is due later: nothing is behind this key.
      entry = draft.state().ceiling(LaneTables.DUE, "", entry.key() + '\0');
    }
  }

  private static void look(LanesDraft draft, DueItem item) {
    switch (item.kind()) {
      case RETRY -> {
        LaneCall call = draft.get(LaneTables.REQUESTS, item.id());
        if (call != null && call.place() instanceof Place.Held) {
          Retries.enterLane(draft, call);
        }
      }
      case ATTEMPT -> {
        Attempt attempt = draft.get(LaneTables.ATTEMPTS, item.id());
        if (attempt != null) {
          Attempts.due(draft, attempt);
        }
      }
    }
  }
}
