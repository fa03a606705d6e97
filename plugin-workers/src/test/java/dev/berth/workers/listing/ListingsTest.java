package dev.berth.workers.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.proto.csi.ListVolumesRequest;
import dev.berth.proto.csi.ListVolumesResponse;
import dev.berth.proto.csi.Volume;
import dev.berth.records.ListedVolume;
import dev.berth.records.PluginListing;
import dev.berth.records.PluginRole;
import dev.berth.workers.FakePlugin;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.csi.PluginConnection;
import dev.berth.workers.csi.PluginEndpoint;
import dev.berth.workers.time.Clocks;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Listings of a plugin at a real socket. */
class ListingsTest {

  private final List<AutoCloseable> toClose = new ArrayList<>();
  private final Queue<PluginListing> written = new ConcurrentLinkedQueue<>();
  private FakePlugin plugin;

  @BeforeEach
  void startPlugin() throws IOException {
    plugin = FakePlugin.start();
    toClose.add(plugin);
  }

  @AfterEach
  void stopAll() throws Exception {
    for (AutoCloseable each : toClose) {
      each.close();
    }
  }

  @Test
  void aSnapshotIsPublishedOfAllPagesOfThePlugin() {
    plugin.onList =
        request ->
            request.getStartingToken().isEmpty()
                ? page("t1", entry("vol-1", "i-1"))
                : page("", entry("vol-2"));

    list((route, id) -> true, endpoint("n1"));

    PluginListing first = awaitFirst();
    assertThat(first)
        .isEqualTo(
            PluginListing.newBuilder()
                .setPlugin("ebs")
                .setSnapshotId("s1")
                .setBeganAt(first.getBeganAt())
                .setPage(0)
                .setVolumes(
                    List.of(
                        new ListedVolume("vol-1", List.of("i-1")),
                        new ListedVolume("vol-2", List.of())))
                .setComplete(true)
                .build());
    assertThat(plugin.listed)
        .startsWith(
            ListVolumesRequest.newBuilder().setMaxEntries(CsiPages.ENTRIES).build(),
            ListVolumesRequest.newBuilder()
                .setMaxEntries(CsiPages.ENTRIES)
                .setStartingToken("t1")
                .build());
  }

  @Test
  void aPluginThatLosesItsPlaceIsAskedFromTheBeginning() {
    AtomicInteger questions = new AtomicInteger();
    plugin.onList =
        request -> {
          if (questions.incrementAndGet() == 2) {
            throw Status.ABORTED.withDescription("token expired").asRuntimeException();
          }
          return page(request.getStartingToken().isEmpty() ? "t1" : "", entry("vol-1"));
        };

    list((route, id) -> true, endpoint("n1"));

    assertThat(awaitFirst().getComplete()).isTrue();
    assertThat(plugin.listed)
        .extracting(ListVolumesRequest::getStartingToken)
        .startsWith("", "t1", "", "t1");
  }

  @Test
  void aListingThatFailsIsAbandoned() {
    plugin.onList =
        request -> {
          throw Status.UNIMPLEMENTED.asRuntimeException();
        };

    list((route, id) -> true, endpoint("n1"));

    assertThat(awaitFirst().getAbandoned()).isTrue();
  }

  @Test
  void aVolumeOfWhichNothingIsSaidIsLeftOutAndOneWithoutIdSpoilsTheListing() {
    ListVolumesResponse.Entry silent =
        ListVolumesResponse.Entry.newBuilder()
            .setVolume(Volume.newBuilder().setVolumeId("vol-9"))
            .build();
    plugin.onList = request -> page("", silent, entry("vol-1"));
    assertThat(new CsiPages(endpoint("n1").connection()).ask(""))
        .isEqualTo(new PageSource.Page(List.of(new ListedVolume("vol-1", List.of())), ""));

    plugin.onList = request -> page("", entry(""));
    assertThat(new CsiPages(endpoint("n1").connection()).ask(""))
        .isEqualTo(
            new PageSource.Failed(
                "ListVolumes names a volume without volume_id, which csi.v1 requires"));
  }

  @Test
  void aPluginIsListedByTheWorkerThatAcceptsItsWorkAndByNoOther() {
    plugin.onList = request -> page("", entry("vol-1"));
    List<String> asked = new ArrayList<>();
    list(
        (route, id) -> {
          asked.add(route + " " + id);
          return false;
        },
        endpoint("n1"));

    await().until(() -> asked.size() > 3);

    assertThat(asked).containsOnly("pool ebs");
    assertThat(written).isEmpty();
  }

  @Test
  void onlyOneOfThePluginsControllersIsAsked() throws IOException {
    plugin.onList = request -> page("", entry("vol-1"));
    FakePlugin other = FakePlugin.start();
    toClose.add(other);
    list((route, id) -> true, endpoint("n2", other), endpoint("n1"));

    await().until(() -> written.size() > 2);

    assertThat(other.listed).isEmpty();
  }

  private PluginListing awaitFirst() {
    await().until(() -> !written.isEmpty());
    return written.element();
  }

  private void list(BiPredicate<String, String> isOurs, PluginEndpoint... endpoints) {
    AtomicInteger ids = new AtomicInteger();
    Listings listings =
        new Listings(
            () -> List.of(endpoints),
            isOurs,
            Duration.ofMillis(10),
            () -> 0.5,
            page -> {
              written.add(page);
              return CompletableFuture.completedFuture(null);
            },
            Clocks.system(),
            () -> "s" + ids.incrementAndGet());
    toClose.add(0, listings);
    listings.start();
  }

  private PluginEndpoint endpoint(String node) {
    return endpoint(node, plugin);
  }

  private PluginEndpoint endpoint(String node, FakePlugin at) {
    PluginEndpoint endpoint =
        new PluginEndpoint(
            new EndpointConfig(
                "a",
                Optional.of("ebs"),
                PluginRole.CONTROLLER,
                node,
                "pool",
                at.address(),
                Optional.empty(),
                Optional.empty()),
            PluginConnection.plaintext(at.address()),
            Path.of("/mnt"));
    toClose.add(0, endpoint);
    return endpoint;
  }

  private static ListVolumesResponse page(String next, ListVolumesResponse.Entry... entries) {
    return ListVolumesResponse.newBuilder()
        .addAllEntries(List.of(entries))
        .setNextToken(next)
        .build();
  }

  private static ListVolumesResponse.Entry entry(String volume, String... nodes) {
    return ListVolumesResponse.Entry.newBuilder()
        .setVolume(Volume.newBuilder().setVolumeId(volume))
        .setStatus(
            ListVolumesResponse.VolumeStatus.newBuilder().addAllPublishedNodeIds(List.of(nodes)))
        .build();
  }
}
