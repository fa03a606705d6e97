package dev.berth.streams.lanes;

import org.jspecify.annotations.Nullable;

/**
 * Attach slots: one per attachment that may exist or is on its way, per plugin and node. A slot is
 * taken before the attach is queued, so that parallel attaches cannot each see the last free one
 * (azuredisk-csi-driver#2851), and is free again only when the detach is done.
 */
final class Slots {
  private Slots() {}

  /**
   * Takes the slot of an attach, or finds it taken for the same attachment.
   *
   * @return whether it is taken; false when the node is full
   */
  static boolean reserve(LanesDraft draft, LaneCall call) {
    SlotUse use = draft.get(LaneTables.SLOTS, key(call));
    if (use != null) {
      put(draft, call, new SlotUse(call.requestId(), use.mayExist()));
      return true;
    }
    if (full(draft, call)) {
      return false;
    }
    put(draft, call, new SlotUse(call.requestId(), false));
    return true;
  }

  /** Whether the node has no free slot now. */
  static boolean full(LanesDraft draft, LaneCall call) {
    String node = call.call().node();
    Long max = draft.maxVolumes(call.plugin(), node);
    return max != null && draft.slotsInUse(call.plugin(), node) >= max;
  }

  /** An attach ended: its slot stays with the attachment that may exist, or is free. */
  static void attachEnded(LanesDraft draft, LaneCall call, boolean mayExist) {
    SlotUse use = draft.get(LaneTables.SLOTS, key(call));
    if (use == null) {
      return;
    }
    // Two claims that each need an attach of their own can wait for the same attachment.
    String pending = call.requestId().equals(use.pending()) ? null : use.pending();
    boolean left = use.mayExist() || mayExist;
    put(draft, call, left || pending != null ? new SlotUse(pending, left) : null);
  }

  /** A volume is detached: its slot is free, unless another attach of it has reserved it since. */
  static void detached(LanesDraft draft, String plugin, String node, String externalVolume) {
    String key = LaneTables.slot(plugin, node, externalVolume);
    SlotUse use = draft.get(LaneTables.SLOTS, key);
    if (use != null) {
      put(
          draft,
          plugin,
          node,
          key,
          use.pending() == null ? null : new SlotUse(use.pending(), false));
    }
  }

  private static void put(LanesDraft draft, LaneCall call, @Nullable SlotUse use) {
    put(draft, call.plugin(), call.call().node(), key(call), use);
  }

  private static void put(
      LanesDraft draft, String plugin, String node, String key, @Nullable SlotUse use) {
    boolean before = draft.get(LaneTables.SLOTS, key) != null;
    if (use == null) {
      draft.remove(LaneTables.SLOTS, key);
    } else {
      draft.put(LaneTables.SLOTS, key, use);
    }
    int change = (use == null ? 0 : 1) - (before ? 1 : 0);
    if (change != 0) {
      count(draft, LaneTables.slotsOf(plugin, node), draft.slotsInUse(plugin, node) + change);
      draft.slotsChanged(plugin, node);
    }
  }

  private static void count(LanesDraft draft, String key, long inUse) {
    if (inUse > 0) {
      draft.put(LaneTables.SLOT_COUNTS, key, new SlotCount(inUse));
    } else {
      draft.remove(LaneTables.SLOT_COUNTS, key);
    }
  }

  private static String key(LaneCall call) {
    return LaneTables.slot(call.plugin(), call.call().node(), call.call().externalVolume());
  }
}
