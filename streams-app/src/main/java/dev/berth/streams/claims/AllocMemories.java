package dev.berth.streams.claims;

import dev.berth.records.AllocFate;
import dev.berth.records.NodeStep;
import dev.berth.streams.cluster.Fence;
import dev.berth.streams.cluster.NodeView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of allocs that have no claim (any more): their end, so that late and repeated
 * events do not bring them back, and mounts that they left on a node behind a fence.
 */
final class AllocMemories {
  /**
   * Longer than {@code alloc-events} retains (7 days): what is forgotten cannot be replayed any
   * more.
   */
  private static final Duration KEPT = Duration.ofDays(8);

  private AllocMemories() {}

  /** What is remembered of a scheduler's alloc; another scheduler's alloc of that id is another. */
  static @Nullable AllocMemory of(VolumeDraft v, String alloc, String scheduler) {
    return v.memory(alloc, scheduler);
  }

  /** Remembers what became of an alloc, unless something newer or final is known. */
  static void learnt(VolumeDraft v, String alloc, String scheduler, long index, AllocFate fate) {
    AllocMemory before = of(v, alloc, scheduler);
    if (before == null) {
      v.remember(new AllocMemory(v.key(), alloc, scheduler, index, fate, null, v.now()));
    } else if (index > before.index() && before.fate() != AllocFate.GONE) {
      // What was left behind is told from what a later fence leaves behind by its time.
      Instant at = before.uncleanNode() == null ? v.now() : before.at();
      v.remember(new AllocMemory(v.key(), alloc, scheduler, index, fate, before.uncleanNode(), at));
    }
  }

  /** The alloc's claim is freed. */
  static void released(VolumeDraft v, Claim claim) {
    AllocMemory before = of(v, claim.alloc(), claim.ask().scheduler());
    boolean fenced = claim.nodeStep() == NodeStep.FENCED;
    AllocMemory owing = !fenced && before != null && owes(before, claim) ? before : null;
    String uncleanNode = owing == null ? (fenced ? claim.node() : null) : owing.uncleanNode();
    if (claim.again() != null && uncleanNode == null) {
      v.forget(claim.alloc(), claim.ask().scheduler());
      return;
    }
    v.remember(
        new AllocMemory(
            v.key(),
            claim.alloc(),
            claim.ask().scheduler(),
            before == null ? claim.index() : Math.max(before.index(), claim.index()),
            fate(before, claim),
            uncleanNode,
            owing == null ? v.now() : owing.at()));
  }

  /**
   * Whether what an earlier claim left on a node is still owed after this one: a claim that only
   * waited, or was elsewhere, settles nothing.
   */
  private static boolean owes(AllocMemory before, Claim claim) {
    return before.uncleanNode() != null
        && !(claim.counts() && claim.node().equals(before.uncleanNode()));
  }

  private static AllocFate fate(@Nullable AllocMemory before, Claim claim) {
    if (before != null && before.fate() != AllocFate.RELEASED) {
      return before.fate();
    }
    return Leaving.over(claim.client()) ? AllocFate.TERMINAL : AllocFate.RELEASED;
  }

  /**
   * The client reports an unmount of a claim that is gone. A report that is no newer than what is
   * known of the alloc is an old one heard again: it was made before the mount that is owed.
   *
   * @param index of the statement
   * @return whether it was owed
   */
  static boolean unmounted(VolumeDraft v, String alloc, String scheduler, long index) {
    AllocMemory memory = of(v, alloc, scheduler);
    if (memory == null || memory.uncleanNode() == null || index <= memory.index()) {
      return false;
    }
    v.remember(memory.clean(index));
    return true;
  }

  /**
   * Whether a node came back from a fence with the volume possibly still mounted (KEP-2268). The
   * fence stays in force until an operator lifts it; what was left behind under an earlier one was
   * declared clean by lifting that.
   */
  static boolean unclean(VolumeDraft v, String node) {
    NodeView view = v.node(node);
    Fence fence = view == null ? null : view.fence();
    return fence != null
        && (v.countingOn(node).stream().anyMatch(c -> c.nodeStep() == NodeStep.FENCED)
            || v.memories().stream().anyMatch(memory -> leftBehind(memory, node, fence)));
  }

  private static boolean leftBehind(AllocMemory memory, String node, Fence fence) {
    return node.equals(memory.uncleanNode()) && !memory.at().isBefore(fence.owedSince());
  }

  /** Forgets allocs whose events are retained no longer. */
  static void forgetOld(VolumeDraft v) {
    Instant since = v.now().minus(KEPT);
    List<AllocMemory> old =
        v.memories().stream()
            .filter(memory -> memory.at().isBefore(since) && v.claim(memory.alloc()) == null)
            .filter(memory -> memory.uncleanNode() == null || !unclean(v, memory.uncleanNode()))
            .toList();
    old.forEach(memory -> v.forget(memory.alloc(), memory.scheduler()));
  }
}
