package dev.berth.streams.lanes;

import dev.berth.records.DriftKind;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.kernel.State;
import dev.berth.streams.work.Drift;
import dev.berth.streams.work.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What plugins list of their volumes. One listing proves nothing: it may have been taken before the
 * last call took effect (external-attacher#215), and caches answer it. The claims of a volume are
 * told what two complete listings in a row have in common that both began after the last controller
 * call for it was over, and then not again until something changes. A volume that is not listed is
 * not concluded from: paging breaks.
 */
final class Listings {
  private Listings() {}

  /** A page has come. */
  static void arrived(LanesDraft draft, LanesEvent.ListingArrived page) {
    if (!listsPublished(draft, page.plugin())) {
      // Published nodes of a plugin that does not promise them prove nothing (K18a).
      forget(draft, page.plugin());
      return;
    }
    Snapshot snapshot = snapshot(draft, page);
    if (snapshot.state() != Snapshot.State.OPEN || page.page() < snapshot.pages()) {
      return;
    }
    if (page.abandoned() || page.page() > snapshot.pages()) {
      useless(draft, page.plugin(), snapshot);
    } else {
      read(draft, page, snapshot.withPage());
    }
  }

  /** A controller call for a volume begins or has ended. */
  static void operated(LanesDraft draft, String plugin, String externalVolume) {
    // Also while they are unwell: what was listed before is as old as any.
    if (ClusterTables.controllers(draft.state(), plugin).stream()
        .anyMatch(InstanceView::listPublished)) {
      draft.put(
          LaneTables.LISTED,
          LaneTables.externalId(plugin, externalVolume),
          ListedRun.after(draft.now()));
    }
  }

  private static boolean listsPublished(LanesDraft draft, String plugin) {
    return ClusterTables.liveControllers(draft.state(), plugin).stream()
        .anyMatch(InstanceView::listPublished);
  }

  private static Snapshot snapshot(LanesDraft draft, LanesEvent.ListingArrived page) {
    Snapshot known = draft.get(LaneTables.SNAPSHOTS, page.plugin());
    if (known != null && known.id().equals(page.snapshotId())) {
      return known;
    }
    boolean incompleteTold = known != null && known.incompleteTold();
    if (known != null && known.state() == Snapshot.State.OPEN) {
      // Its worker died, or lost its plugin, before the last page.
      useless(draft, page.plugin(), known);
      incompleteTold = true;
    }
    Snapshot begun =
        new Snapshot(page.snapshotId(), page.beganAt(), 0, Snapshot.State.OPEN, incompleteTold);
    draft.put(LaneTables.SNAPSHOTS, page.plugin(), begun);
    return begun;
  }

  private static void read(LanesDraft draft, LanesEvent.ListingArrived page, Snapshot snapshot) {
    if (!page.complete()) {
      draft.put(
          LaneTables.LISTED_PAGES, LaneTables.page(page.plugin(), page.page()), page.content());
      draft.put(LaneTables.SNAPSHOTS, page.plugin(), snapshot);
      return;
    }
    Map<String, List<String>> listed = new TreeMap<>(page.content().volumes());
    for (State.Entry<ListedPage> earlier : pages(draft, page.plugin())) {
      earlier.value().volumes().forEach((id, nodes) -> listed.merge(id, nodes, ListedPage::both));
    }
    listed.forEach((id, nodes) -> volume(draft, page.plugin(), id, nodes, snapshot));
    removePages(draft, page.plugin());
    draft.put(LaneTables.SNAPSHOTS, page.plugin(), snapshot.complete());
  }

  private static void volume(
      LanesDraft draft, String plugin, String id, List<String> nodes, Snapshot snapshot) {
    String key = LaneTables.externalId(plugin, id);
    ExternalIdHolder holder = draft.get(LaneTables.EXTERNAL_IDS, key);
    if (holder == null) {
      return;
    }
    ListedRun stored = draft.get(LaneTables.LISTED, key);
    ListedRun run = stored == null ? ListedRun.NONE : stored;
    Instant since = run.since();
    if (!run.isOlderThan(snapshot.beganAt())) {
      return;
    }
    if (since == null) {
      draft.put(LaneTables.LISTED, key, run.begun(snapshot.beganAt(), nodes));
      return;
    }
    boolean equal = run.nodes().equals(nodes);
    if (!snapshot.beganAt().isAfter(since) || (equal && run.told())) {
      return;
    }
    draft.put(LaneTables.LISTED, key, equal ? run.asTold() : run.begun(snapshot.beganAt(), nodes));
    draft.emit(
        new LanesEffect.Settle(
            new Settlement(
                "listing/" + snapshot.id(),
                holder.volumeKey(),
                plugin,
                null,
                draft.now(),
                listed(run.nodes(), nodes, since))));
  }

  private static Settlement.Listed listed(List<String> before, List<String> now, Instant since) {
    SortedSet<String> either = new TreeSet<>(before);
    either.addAll(now);
    SortedSet<String> both = new TreeSet<>(before);
    both.retainAll(now);
    return new Settlement.Listed(List.copyOf(either), List.copyOf(both), since);
  }

  private static void useless(LanesDraft draft, String plugin, Snapshot snapshot) {
    if (!snapshot.incompleteTold()) {
      draft.emit(
          new LanesEffect.Drifted(
              new Drift(
                  plugin,
                  null,
                  null,
                  null,
                  DriftKind.INCOMPLETE,
                  "listing "
                      + snapshot.id()
                      + " ended before its last page: nothing is concluded from it",
                  draft.now())));
    }
    removePages(draft, plugin);
    draft.put(LaneTables.SNAPSHOTS, plugin, snapshot.useless());
  }

  private static void forget(LanesDraft draft, String plugin) {
    removePages(draft, plugin);
    if (draft.get(LaneTables.SNAPSHOTS, plugin) != null) {
      draft.remove(LaneTables.SNAPSHOTS, plugin);
    }
  }

  private static List<State.Entry<ListedPage>> pages(LanesDraft draft, String plugin) {
    return draft.state().scan(LaneTables.LISTED_PAGES, plugin + "/");
  }

  private static void removePages(LanesDraft draft, String plugin) {
    pages(draft, plugin).forEach(page -> draft.remove(LaneTables.LISTED_PAGES, page.key()));
  }
}
