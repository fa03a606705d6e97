package dev.berth.streams.codec;

import dev.berth.records.CsiCall;
import dev.berth.records.DriftFinding;
import dev.berth.records.ForeignAttachment;
import dev.berth.records.ListingPage;
import dev.berth.records.ListingSnapshot;
import dev.berth.records.PluginListing;
import dev.berth.streams.claims.Letter;
import dev.berth.streams.claims.VolumeListing;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.lanes.ListedPage;
import dev.berth.streams.lanes.ListedRun;
import dev.berth.streams.lanes.Snapshot;
import dev.berth.streams.work.Drift;
import dev.berth.streams.work.Hold;
import java.util.List;
import java.util.TreeMap;

/** Codecs of what plugins list, and of what differs from it. */
public final class ListingCodecs {
  /** A row of {@code LaneTables.SNAPSHOTS}. */
  public static final Codec<Snapshot, ListingSnapshot> SNAPSHOT =
      new Codec<>(
          Snapshot.class,
          ListingSnapshot.class,
          snapshot ->
              new ListingSnapshot(
                  snapshot.id(),
                  snapshot.beganAt(),
                  snapshot.pages(),
                  snapshot.state().name(),
                  snapshot.incompleteTold()),
          row ->
              new Snapshot(
                  row.getId(),
                  row.getBeganAt(),
                  row.getPages(),
                  Snapshot.State.valueOf(row.getState()),
                  row.getIncompleteTold()));

  /** A row of {@code LaneTables.LISTED_PAGES}. */
  public static final Codec<ListedPage, ListingPage> PAGE =
      new Codec<>(
          ListedPage.class,
          ListingPage.class,
          page -> new ListingPage(new TreeMap<>(page.volumes())),
          row -> new ListedPage(row.getVolumes()));

  /** A row of {@code LaneTables.LISTED}. */
  public static final Codec<ListedRun, dev.berth.records.ListedRun> RUN =
      new Codec<>(
          ListedRun.class,
          dev.berth.records.ListedRun.class,
          run ->
              dev.berth.records.ListedRun.newBuilder()
                  .setOperationAt(run.operationAt())
                  .setSince(run.since())
                  .setNodes(run.nodes())
                  .setTold(run.told())
                  .build(),
          row ->
              new ListedRun(
                  row.getOperationAt().orElse(null),
                  row.getSince().orElse(null),
                  row.getNodes(),
                  row.getTold()));

  /** A row of {@code ClaimTables.LISTINGS}. */
  public static final Codec<VolumeListing, dev.berth.records.VolumeListing> VOLUME =
      new Codec<>(
          VolumeListing.class,
          dev.berth.records.VolumeListing.class,
          listing ->
              dev.berth.records.VolumeListing.newBuilder()
                  .setSince(listing.since())
                  .setNodes(listing.nodes())
                  .setForeign(listing.foreign().stream().map(ListingCodecs::encode).toList())
                  .build(),
          row ->
              new VolumeListing(
                  row.getSince().orElse(null),
                  row.getNodes(),
                  row.getForeign().stream().map(ListingCodecs::decode).toList()));

  private ListingCodecs() {}

  private static ForeignAttachment encode(VolumeListing.Foreign foreign) {
    Hold hold = foreign.hold();
    Letter letter = foreign.letter();
    return ForeignAttachment.newBuilder()
        .setExternalNode(foreign.externalNode())
        .setFoundAt(foreign.foundAt())
        .setRequest(foreign.request())
        .setHold(hold == null ? null : HoldCodec.HOLD.encode().apply(hold))
        .setReportedCode(letter == null ? null : letter.code())
        .build();
  }

  private static VolumeListing.Foreign decode(ForeignAttachment row) {
    return new VolumeListing.Foreign(
        row.getExternalNode(),
        row.getFoundAt(),
        row.getRequest().orElse(null),
        row.getHold().map(HoldCodec.HOLD.decode()).orElse(null),
        row.getReportedCode()
            .map(code -> new Letter(code, CsiCall.CONTROLLER_UNPUBLISH))
            .orElse(null));
  }

  /**
   * The event of a page of a listing.
   *
   * @throws IllegalArgumentException when the page cannot be one
   */
  public static LanesEvent.ListingArrived arrived(PluginListing listing) {
    if (listing.getPage() < 0) {
      throw new IllegalArgumentException(
          "page is " + listing.getPage() + ": pages are counted from 0");
    }
    TreeMap<String, List<String>> volumes = new TreeMap<>();
    listing
        .getVolumes()
        .forEach(
            volume ->
                volumes.merge(
                    volume.getExternalVolume(),
                    List.copyOf(volume.getPublishedNodes()),
                    ListedPage::both));
    return new LanesEvent.ListingArrived(
        listing.getPlugin(),
        listing.getSnapshotId(),
        listing.getBeganAt(),
        listing.getPage(),
        new ListedPage(volumes),
        listing.getComplete(),
        listing.getAbandoned());
  }

  /** The record of a finding. */
  public static DriftFinding finding(Drift drift) {
    return DriftFinding.newBuilder()
        .setPlugin(drift.plugin())
        .setExternalVolume(drift.externalVolume())
        .setExternalNode(drift.externalNode())
        .setVolumeKey(drift.volumeKey())
        .setKind(drift.kind())
        .setMessage(drift.message())
        .setAt(drift.at())
        .build();
  }
}
