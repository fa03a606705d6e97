package dev.berth.workers.listing;

import static dev.berth.workers.WorkFixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.ListedVolume;
import dev.berth.records.PluginListing;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ListingRecordsTest {

  private static final ListedVolume ONE = new ListedVolume("vol-1", List.of("i-1"));

  @Test
  void aSmallSnapshotIsOneCompletePage() {
    assertThat(ListingRecords.of("ebs", "s1", new Snapshot.Whole(NOON, List.of(ONE))))
        .containsExactly(page(0, List.of(ONE), true));
  }

  @Test
  void aPluginWithoutVolumesHasASnapshotToo() {
    assertThat(ListingRecords.of("ebs", "s1", new Snapshot.Whole(NOON, List.of())))
        .containsExactly(page(0, List.of(), true));
  }

  @Test
  void onlyTheLastPageOfALargeSnapshotIsMarkedComplete() {
    ListedVolume large = new ListedVolume("v".repeat(ListingRecords.PAGE), List.of());

    assertThat(ListingRecords.of("ebs", "s1", new Snapshot.Whole(NOON, List.of(large, ONE))))
        .containsExactly(page(0, List.of(large), false), page(1, List.of(ONE), true));
  }

  @Test
  void aVolumeOnVeryManyNodesIsListedInParts() {
    List<String> nodes =
        IntStream.range(0, ListingRecords.NODES + 1).mapToObj(i -> "i" + i).toList();

    assertThat(
            ListingRecords.of(
                "ebs", "s1", new Snapshot.Whole(NOON, List.of(new ListedVolume("vol-1", nodes)))))
        .containsExactly(
            page(
                0,
                List.of(
                    new ListedVolume("vol-1", nodes.subList(0, ListingRecords.NODES)),
                    new ListedVolume("vol-1", List.of("i" + ListingRecords.NODES))),
                true));
  }

  @Test
  void aListingThatIsNoneIsSaidToBeAbandoned() {
    assertThat(ListingRecords.of("ebs", "s1", new Snapshot.None(NOON, "no cloud")))
        .containsExactly(
            PluginListing.newBuilder(page(0, List.of(), false)).setAbandoned(true).build());
  }

  private static PluginListing page(int number, List<ListedVolume> volumes, boolean complete) {
    return PluginListing.newBuilder()
        .setPlugin("ebs")
        .setSnapshotId("s1")
        .setBeganAt(NOON)
        .setPage(number)
        .setVolumes(volumes)
        .setComplete(complete)
        .build();
  }
}
