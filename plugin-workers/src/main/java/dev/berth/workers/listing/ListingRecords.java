package dev.berth.workers.listing;

import dev.berth.records.ListedVolume;
import dev.berth.records.PluginListing;
import java.util.ArrayList;
import java.util.List;

/** The records of a snapshot. */
final class ListingRecords {

  /** Far below what a broker takes (1 MiB), whatever the characters (characters). */
  static final int PAGE = 200_000;

  /** So that one volume never fills a page; readers put the parts together (nodes). */
  static final int NODES = 500;

  private ListingRecords() {}

  /** Returns the pages of a snapshot, the last one marked; or the mark that there is none. */
  static List<PluginListing> of(String plugin, String id, Snapshot snapshot) {
    if (snapshot instanceof Snapshot.Whole whole) {
      return pages(plugin, id, whole);
    }
    Snapshot.None none = (Snapshot.None) snapshot;
    return List.of(
        PluginListing.newBuilder()
            .setPlugin(plugin)
            .setSnapshotId(id)
            .setBeganAt(none.beganAt())
            .setPage(0)
            .setAbandoned(true)
            .build());
  }

  private static List<PluginListing> pages(String plugin, String id, Snapshot.Whole whole) {
    List<List<ListedVolume>> pages = new ArrayList<>();
    List<ListedVolume> page = new ArrayList<>();
    int size = 0;
    for (ListedVolume volume : whole.volumes()) {
      for (ListedVolume part : parts(volume)) {
        int more = size(part);
        if (size + more > PAGE && !page.isEmpty()) {
          pages.add(page);
          page = new ArrayList<>();
          size = 0;
        }
        page.add(part);
        size += more;
      }
    }
    pages.add(page);
    List<PluginListing> records = new ArrayList<>();
    for (int i = 0; i < pages.size(); i++) {
      records.add(
          PluginListing.newBuilder()
              .setPlugin(plugin)
              .setSnapshotId(id)
              .setBeganAt(whole.beganAt())
              .setPage(i)
              .setVolumes(pages.get(i))
              .setComplete(i == pages.size() - 1)
              .build());
    }
    return records;
  }

  private static List<ListedVolume> parts(ListedVolume volume) {
    List<String> nodes = volume.getPublishedNodes();
    if (nodes.size() <= NODES) {
      return List.of(volume);
    }
    List<ListedVolume> parts = new ArrayList<>();
    for (int from = 0; from < nodes.size(); from += NODES) {
      parts.add(
          new ListedVolume(
              volume.getExternalVolume(),
              List.copyOf(nodes.subList(from, Math.min(from + NODES, nodes.size())))));
    }
    return parts;
  }

  private static int size(ListedVolume volume) {
    return volume.getExternalVolume().length()
        + volume.getPublishedNodes().stream().mapToInt(node -> node.length() + 4).sum()
        + 8;
  }
}
