package dev.berth.streams.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.groups.Tuple.tuple;

import com.google.rpc.RetryInfo;
import dev.berth.proto.api.Freshness;
import dev.berth.proto.api.ListStuckRequest;
import dev.berth.proto.api.ListStuckResponse;
import dev.berth.proto.api.ListVolumesRequest;
import dev.berth.proto.api.ListVolumesResponse;
import dev.berth.proto.api.ReadOptions;
import dev.berth.proto.api.Stuck;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.RpcCode;
import dev.berth.records.VolumeState;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.Letter;
import dev.berth.streams.claims.Volume;
import dev.berth.streams.claims.VolumeListing;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.work.Hold;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A list")
class ListerTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final ReadOptions STRICT = ReadOptions.getDefaultInstance();

  private final FakeInstances instances = new FakeInstances();
  private final Peers peers = new Peers(ApiSecurity.NONE);
  private final Lister lister =
      new Lister(new Fan(() -> instances, peers, InstantSource.fixed(NOW)));

  @BeforeEach
  void volumes() {
    List.of("a/v1", "a/v3", "b/v1").forEach(key -> put(0, key));
    List.of("a/v2", "a/v4", "c/v1").forEach(key -> put(1, key));
  }

  @AfterEach
  void close() {
    peers.close();
  }

  @Test
  @DisplayName("merges the partitions in the order of the keys")
  void merges() {
    ListVolumesResponse page = page(ListVolumesRequest.getDefaultInstance(), STRICT);

    assertThat(names(page)).containsExactly("a/v1", "a/v2", "a/v3", "a/v4", "b/v1", "c/v1");
    assertThat(page.getNextPageToken()).isEmpty();
    assertThat(page.getFreshness())
        .isEqualTo(
            Freshness.newBuilder().setAsOf(ProtoTime.timestamp(NOW)).setComplete(true).build());
  }

  @Test
  @DisplayName("neither repeats nor skips an entry from page to page, whatever is put in between")
  void pages() {
    List<String> seen = new ArrayList<>();
    String token = "";
    do {
      ListVolumesResponse page =
          page(ListVolumesRequest.newBuilder().setPageSize(2).setPageToken(token).build(), STRICT);
      seen.addAll(names(page));
      token = page.getNextPageToken();
      put(1, "a/v0");
    } while (!token.isEmpty());

    assertThat(seen).containsExactly("a/v1", "a/v2", "a/v3", "a/v4", "b/v1", "c/v1");
  }

  @Test
  @DisplayName("gives what matches, and of other namespaces nothing")
  void filters() throws Exception {
    assertThat(names(page(ListVolumesRequest.newBuilder().setNamespace("a").build(), STRICT)))
        .containsExactly("a/v1", "a/v2", "a/v3", "a/v4");
    assertThat(page(ListVolumesRequest.newBuilder().setPlugin("nfs").build(), STRICT))
        .extracting(ListVolumesResponse::getVolumesCount)
        .isEqualTo(0);
    Caller ofB = new Caller("bob", Set.of(Caller.Role.READ), Set.of("b"));
    assertThat(
            names(
                as(
                    ofB,
                    () -> page(ListVolumesRequest.newBuilder().setPageSize(5).build(), STRICT))))
        .containsExactly("b/v1");
  }

  @Test
  @DisplayName("shows neither references to secrets nor mount flags")
  void redacted() {
    ListVolumesResponse page = page(ListVolumesRequest.getDefaultInstance(), STRICT);

    assertThat(page.toString()).doesNotContain("hush");
    assertThat(page.getVolumes(0).getSecretNamesList()).containsExactly("token");
    assertThat(page.getVolumes(0).getTopologiesList())
        .extracting(topology -> topology.getSegmentsMap())
        .containsExactly(Map.of("zone", "a"));
    assertThat(page.getVolumes(0).getMountFlags()).isEqualTo(2);
  }

  @Test
  @DisplayName("is unavailable while a partition has no owner, with how long to wait")
  void ownerless() {
    instances.owned(1, Instances.Owners.NONE);

    UnavailableException failure =
        catchThrowableOfType(
            UnavailableException.class,
            () -> page(ListVolumesRequest.getDefaultInstance(), STRICT));

    StatusRuntimeException told = failure.toStatus();
    assertThat(told.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(told.getStatus().getDescription())
        .isEqualTo(
            "partition 1 of volume-claims has no owner: the instances are sharing the partitions"
                + " out; try again in 1000 ms");
    assertThat(StatusProto.fromThrowable(told).getDetails(0).is(RetryInfo.class)).isTrue();
    assertThat(UnavailableException.from("x", told).waitFor()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  @DisplayName("leaves out what nobody answers for when it may, and says so")
  void partial() {
    instances.owned(1, new Instances.Owners(new HostInfo("127.0.0.1", 1), List.of()));

    ListVolumesResponse page =
        page(
            ListVolumesRequest.getDefaultInstance(),
            ReadOptions.newBuilder().setAllowPartial(true).build());

    assertThat(names(page)).containsExactly("a/v1", "a/v3", "b/v1");
    assertThat(page.getFreshness().getComplete()).isFalse();
    assertThat(page.getFreshness().getMissing(0))
        .startsWith("partition 1 of volume-claims: instance 127.0.0.1:1: ");
  }

  @Test
  @DisplayName("is read from a warm copy when it may, and says how far that is behind")
  void standby() {
    instances.owned(
        1, new Instances.Owners(new HostInfo("127.0.0.1", 1), List.of(FakeInstances.SELF)));
    instances.behind(7);

    ListVolumesResponse page =
        page(
            ListVolumesRequest.getDefaultInstance(),
            ReadOptions.newBuilder().setAllowStandby(true).build());

    assertThat(page.getVolumesCount()).isEqualTo(6);
    assertThat(page.getFreshness())
        .isEqualTo(
            Freshness.newBuilder().setComplete(true).setStandby(true).setStandbyLag(7).build());
  }

  @Test
  @DisplayName("of another list has other tokens, and no page has fewer than no entries")
  void badRequests() {
    String foreign = PageToken.of("ListClaims", "a/v1/x");

    assertThatThrownBy(
            () -> page(ListVolumesRequest.newBuilder().setPageToken(foreign).build(), STRICT))
        .hasMessage(
            "INVALID_ARGUMENT: page_token is none of ListVolumes: leave it empty, or give"
                + " next_page_token of the page before");
    assertThatThrownBy(() -> page(ListVolumesRequest.newBuilder().setPageSize(-1).build(), STRICT))
        .hasMessage("INVALID_ARGUMENT: page_size=-1: give 1 to 1000, or 0");
  }

  @Test
  @DisplayName("of what is stuck has the detaches that no claim asked for, in their place")
  void stuckWithoutClaim() {
    Hold hold =
        new Hold(
            HoldCode.CONTROLLER_ERROR, "no such disk", RpcCode.INTERNAL, 10, NOW, NOW, null, true);
    foreign(0, "a/v3", "i-9", hold);
    foreign(1, "a/v2", "i-7", hold);
    foreign(1, "c/v1", "i-8", hold);

    List<Stuck> seen = new ArrayList<>();
    String token = "";
    do {
      ListStuckResponse page =
          lister.page(
              VolumeLists.STUCK,
              ListStuckRequest.newBuilder().setPageSize(1).setPageToken(token).build(),
              STRICT);
      seen.addAll(page.getStuckList());
      token = page.getNextPageToken();
    } while (!token.isEmpty());

    assertThat(seen)
        .extracting(
            stuck -> stuck.getClaim().getRef().getVolume(),
            stuck -> stuck.getClaim().getNode(),
            Stuck::getStep,
            Stuck::getCode,
            Stuck::getLastMessage)
        .containsExactly(
            tuple("v2", "i-7", "detach", "controller-error", "no such disk"),
            tuple("v3", "i-9", "detach", "controller-error", "no such disk"),
            tuple("v1", "i-8", "detach", "controller-error", "no such disk"));
    assertThat(seen.get(0).getRemedy()).contains("retry a/v2");
  }

  private void foreign(int partition, String key, String node, Hold hold) {
    VolumeListing listing =
        new VolumeListing(
            null,
            List.of(),
            List.of(
                new VolumeListing.Foreign(
                    node,
                    NOW,
                    key + "#1",
                    hold,
                    new Letter(hold.code(), CsiCall.CONTROLLER_UNPUBLISH))));
    instances.state(partition).apply(new Change.Put<>(ClaimTables.LISTINGS, key, listing));
  }

  private ListVolumesResponse page(ListVolumesRequest request, ReadOptions options) {
    return lister.page(VolumeLists.VOLUMES, request, options);
  }

  private static <R> R as(Caller caller, Callable<R> call) throws Exception {
    return Context.current().withValue(Caller.KEY, caller).call(call);
  }

  private static List<String> names(ListVolumesResponse page) {
    return page.getVolumesList().stream()
        .map(volume -> volume.getRef().getNamespace() + "/" + volume.getRef().getVolume())
        .toList();
  }

  private void put(int partition, String key) {
    String[] parts = key.split("/", -1);
    VolumeSpec spec =
        new VolumeSpec(
            parts[0],
            parts[1],
            "ebs",
            "vol-" + key,
            List.of(
                new VolumeSpec.Capability(
                    AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)),
            Map.of("token", "${file:/etc/hush-4711:key}"),
            Map.of(),
            Map.of(),
            null,
            List.of("password=hush-4712", "ro"),
            List.of(Map.of("zone", "a")));
    Volume volume =
        new Volume(
            spec,
            VolumeState.REGISTERED,
            new Volume.Origin("c1", "ann", "new"),
            null,
            null,
            NOW,
            null,
            null);
    instances.state(partition).apply(new Change.Put<>(ClaimTables.VOLUMES, key, volume));
  }
}
