package dev.berth.streams.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.berth.proto.api.Capability;
import dev.berth.proto.api.GetVolumeRequest;
import dev.berth.proto.api.ListAttachmentsRequest;
import dev.berth.proto.api.ListClaimsRequest;
import dev.berth.proto.api.ListStuckRequest;
import dev.berth.proto.api.ListVolumesRequest;
import dev.berth.proto.api.ReadOptions;
import dev.berth.proto.api.RetryStuckRequest;
import dev.berth.proto.api.RetryStuckResponse;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.SubmitCommandResponse;
import dev.berth.proto.api.VolumeRef;
import dev.berth.proto.api.WatchAttachmentsRequest;
import dev.berth.proto.api.WatchClaimsRequest;
import dev.berth.proto.api.WatchStuckRequest;
import dev.berth.proto.api.WatchVolumesRequest;
import dev.berth.proto.api.WhyClaimRequest;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.AttachmentState;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimState;
import dev.berth.records.ClientStatus;
import dev.berth.records.CsiCall;
import dev.berth.records.DesiredStatus;
import dev.berth.records.HoldCode;
import dev.berth.records.JobType;
import dev.berth.records.NodeStep;
import dev.berth.records.RpcCode;
import dev.berth.records.Staging;
import dev.berth.records.VolumeState;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.Attachment;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimAsk;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.Letter;
import dev.berth.streams.claims.Volume;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.work.Hold;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The namespaces {@code prod} and {@code test} have the same rows, and callers one, other or all.
 */
@DisplayName("The namespaces of a caller bound")
class NamespacesTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final ReadOptions STRICT = ReadOptions.getDefaultInstance();
  private static final Caller OWN = caller("prod");
  private static final Caller OTHER = caller("test");
  private static final Caller NONE = new Caller("none", EnumSet.allOf(Caller.Role.class), Set.of());
  private static final Caller ALL = caller(Caller.EVERY_NAMESPACE);
  private static final VolumeRef PROD =
      VolumeRef.newBuilder().setNamespace("prod").setVolume("db").build();

  private static final Capability CAPABILITY =
      Capability.newBuilder()
          .setAccess(dev.berth.proto.api.AccessMode.ACCESS_MODE_SINGLE_NODE_WRITER)
          .setAttachment(dev.berth.proto.api.AttachmentMode.ATTACHMENT_MODE_FILE_SYSTEM)
          .build();

  private final FakeInstances instances = new FakeInstances();
  private final Peers peers = new Peers(ApiSecurity.NONE);
  private final InstantSource clock = InstantSource.fixed(NOW);
  private final Fan fan = new Fan(() -> instances, peers, clock);
  private final Lister lister = new Lister(fan);
  private final VolumeReads reads = new VolumeReads(fan, lister, LaneLists.slots(() -> 2));

  @BeforeEach
  void rows() {
    for (String namespace : List.of("prod", "test")) {
      VolumeKey key = new VolumeKey(namespace, "db");
      for (int partition : List.of(0, 1)) {
        // Where a key belongs does not matter here, so both partitions have the volume.
        instances
            .state(partition)
            .apply(new Change.Put<>(ClaimTables.VOLUMES, key.toString(), volume(key)));
      }
      MapState own = instances.state(Keys.partition(key.toString(), 2));
      own.apply(new Change.Put<>(ClaimTables.CLAIMS, key.of("a1"), claim(key)));
      own.apply(new Change.Put<>(ClaimTables.ATTACHMENTS, key.of("n1"), attachment(key)));
    }
  }

  @AfterEach
  void close() {
    peers.close();
  }

  @Test
  @DisplayName("which stuck claims are retried, and shown by a dry run")
  void redrive() throws Exception {
    RetryStuckRequest all = RetryStuckRequest.newBuilder().setReason("mended").build();

    assertThat(as(OWN, () -> redriven(all))).containsExactly("1 chosen", "prod/a1 done");
    assertThat(as(NONE, () -> redriven(all))).containsExactly("0 chosen");
    assertThat(as(ALL, () -> redriven(all)))
        .containsExactly("2 chosen", "prod/a1 done", "after PT0.1S", "test/a1 done");
    assertThat(as(ALL, () -> redriven(all.toBuilder().setNamespace("test").setRate(2).build())))
        .containsExactly("1 chosen", "test/a1 done");
    assertThat(as(ALL, () -> redriven(all.toBuilder().setCode("node-lost").build())))
        .containsExactly("0 chosen");
    assertThat(as(OWN, () -> redriven(all.toBuilder().setDryRun(true).build())))
        .containsExactly("1 chosen", "prod/a1 found");
    assertThatThrownBy(() -> redriven(all.toBuilder().setRate(101).build()))
        .hasMessage("INVALID_ARGUMENT: rate=101: give 1 to 100 a second, or 0 for 10");
  }

  private List<String> redriven(RetryStuckRequest request) {
    List<String> told = new ArrayList<>();
    new Redrive(
            request,
            lister,
            (command, answered) ->
                answered.accept(
                    SubmitCommandResponse.newBuilder()
                        .setSummary(command.getReason().equals("mended") ? "done" : "why?")
                        .build(),
                    null),
            new Told(told),
            time -> told.add("after " + time))
        .run();
    return told;
  }

  /** Writes down what a client is told. */
  private record Told(List<String> told) implements StreamObserver<RetryStuckResponse> {
    @Override
    public void onNext(RetryStuckResponse step) {
      told.add(
          switch (step.getStepCase()) {
            case CHOSEN -> step.getChosen().getClaims() + " chosen";
            case FOUND ->
                "%s/%s found"
                    .formatted(
                        step.getFound().getClaim().getRef().getNamespace(),
                        step.getFound().getClaim().getAlloc());
            case RETRIED ->
                "%s/%s %s"
                    .formatted(
                        step.getRetried().getRef().getNamespace(),
                        step.getRetried().getAlloc(),
                        step.getRetried().getAnswer().getSummary());
            case STEP_NOT_SET -> "nothing";
          });
    }

    @Override
    public void onError(Throwable failure) {
      told.add(failure.toString());
    }

    @Override
    public void onCompleted() {
      // Nothing more is told.
    }
  }

  @Test
  @DisplayName("every list of what is in a namespace")
  void lists() throws Exception {
    assertListed(
        VolumeLists.VOLUMES,
        ListVolumesRequest.getDefaultInstance(),
        page -> page.getVolumesList().stream().map(row -> row.getRef().getNamespace()));
    assertListed(
        VolumeLists.CLAIMS,
        ListClaimsRequest.getDefaultInstance(),
        page -> page.getClaimsList().stream().map(row -> row.getRef().getNamespace()));
    assertListed(
        VolumeLists.STUCK,
        ListStuckRequest.getDefaultInstance(),
        page -> page.getStuckList().stream().map(row -> row.getClaim().getRef().getNamespace()));
    assertListed(
        VolumeLists.ATTACHMENTS,
        ListAttachmentsRequest.getDefaultInstance(),
        page -> page.getAttachmentsList().stream().map(row -> row.getRef().getNamespace()));
  }

  @Test
  @DisplayName("every watch of what is in a namespace, of what is there and of what changes")
  void watches() throws Exception {
    assertWatched(
        Watchables.VOLUMES,
        WatchVolumesRequest.getDefaultInstance(),
        Topic.VOLUMES,
        List.of("prod/db", "test/db"),
        change -> change.getUpdated().getRef().getNamespace());
    List<String> claims = List.of("prod/db/a1", "test/db/a1");
    assertWatched(
        Watchables.CLAIMS,
        WatchClaimsRequest.getDefaultInstance(),
        Topic.CLAIMS,
        claims,
        change -> change.getUpdated().getRef().getNamespace());
    assertWatched(
        Watchables.STUCK,
        WatchStuckRequest.getDefaultInstance(),
        Topic.STUCK_CLAIMS,
        claims,
        change -> change.getUpdated().getClaim().getRef().getNamespace());
    assertWatched(
        Watchables.ATTACHMENTS,
        WatchAttachmentsRequest.getDefaultInstance(),
        Topic.ATTACHMENTS,
        List.of("prod/db/n1", "test/db/n1"),
        change -> change.getUpdated().getRef().getNamespace());
  }

  /** Begins without the rows, so that they are told as changes. */
  private <Q extends Message, T extends Message, R extends Message, C extends Message>
      void assertWatched(
          Watchable<Q, T, R, C> watched,
          Message request,
          Topic topic,
          List<String> keys,
          Function<C, String> namespace)
          throws Exception {
    for (Map.Entry<Caller, List<String>> each : expected().entrySet()) {
      for (boolean later : List.of(false, true)) {
        instances.clear();
        WatchRun<C> run = new WatchRun<>();
        Runnable change =
            () -> {
              rows();
              keys.forEach(key -> run.record(topic, key));
            };
        if (!later) {
          rows();
        }
        Context.current()
            .withValue(Caller.KEY, each.getKey())
            .run(() -> run.run(watched, request, lister, clock, List.of(change)));

        assertThat(
                run.told.stream()
                    .filter(told -> told.getAllFields().keySet().iterator().next().getNumber() == 1)
                    .map(namespace)
                    .distinct())
            .as("%s by %s", watched.listing().name(), each.getKey().name())
            .containsExactlyElementsOf(each.getValue());
        assertThat(String.valueOf(run.failure)).contains("this instance ends");
      }
    }
  }

  private static Map<Caller, List<String>> expected() {
    return Map.of(
        OWN,
        List.of("prod"),
        OTHER,
        List.of("test"),
        NONE,
        List.of(),
        ALL,
        List.of("prod", "test"));
  }

  @Test
  @DisplayName("what is told of one volume or claim")
  void one() throws Exception {
    GetVolumeRequest volume = GetVolumeRequest.newBuilder().setRef(PROD).build();
    WhyClaimRequest why = WhyClaimRequest.newBuilder().setRef(PROD).setAlloc("a1").build();
    WhyReads whyReads = new WhyReads(reads, clock);

    for (Caller caller : List.of(OWN, ALL)) {
      assertThat(as(caller, () -> reads.volume(volume)).getClaimsCount()).isEqualTo(1);
    }
    for (Caller caller : List.of(OTHER, NONE)) {
      String message = "PERMISSION_DENIED: namespace prod is not among those of " + caller.name();
      assertThatThrownBy(() -> as(caller, () -> reads.volume(volume))).hasMessage(message);
      // Refused before it looks at any topic.
      assertThatThrownBy(() -> as(caller, () -> whyReads.why(why, null))).hasMessage(message);
    }
  }

  static Stream<FieldDescriptor> commands() {
    return SubmitCommandRequest.getDescriptor().getOneofs().get(0).getFields().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  @DisplayName("every command: those about a volume by its namespace, the others by all of them")
  void commands(FieldDescriptor command) {
    SubmitCommandRequest request = request(command);
    boolean aboutVolume = command.getMessageType().findFieldByName("ref") != null;

    assertAllowed(request, ALL);
    assertRefused(request, OTHER);
    assertRefused(request, NONE);
    if (aboutVolume) {
      assertAllowed(request, OWN);
    } else {
      assertRefused(request, OWN);
    }
  }

  private static void assertAllowed(SubmitCommandRequest request, Caller caller) {
    assertThat(CommandMessages.command(request, "c1", caller, NOW).by()).isEqualTo(caller.name());
  }

  private static void assertRefused(SubmitCommandRequest request, Caller caller) {
    assertThatThrownBy(() -> CommandMessages.command(request, "c1", caller, NOW))
        .hasMessageStartingWith("PERMISSION_DENIED: ")
        .hasMessageContaining(caller.name());
  }

  private <Q extends Message, T extends Message, R extends Message> void assertListed(
      Listing<Q, T, R> listing, Q request, Function<R, Stream<String>> namespaces)
      throws Exception {
    for (Map.Entry<Caller, List<String>> each : expected().entrySet()) {
      R page = as(each.getKey(), () -> lister.page(listing, request, STRICT));
      assertThat(namespaces.apply(page).distinct())
          .as("%s by %s", listing.name(), each.getKey().name())
          .containsExactlyElementsOf(each.getValue());
    }
  }

  /** The command about volume prod/db, with something in every field that must have something. */
  private static SubmitCommandRequest request(FieldDescriptor command) {
    SubmitCommandRequest.Builder request = SubmitCommandRequest.newBuilder().setReason("test");
    Message.Builder body = request.newBuilderForField(command);
    for (FieldDescriptor field : command.getMessageType().getFields()) {
      if (field.getName().equals("ref")) {
        body.setField(field, PROD);
      } else if (field.getName().equals("capabilities")) {
        body.addRepeatedField(field, CAPABILITY);
      } else if (field.getType() == FieldDescriptor.Type.STRING && !field.isRepeated()) {
        body.setField(field, "x");
      }
    }
    return request.setField(command, body.build()).build();
  }

  private static Caller caller(String namespace) {
    return new Caller("of " + namespace, EnumSet.allOf(Caller.Role.class), Set.of(namespace));
  }

  private static <R> R as(Caller caller, Callable<R> call) throws Exception {
    return Context.current().withValue(Caller.KEY, caller).call(call);
  }

  private static Volume volume(VolumeKey key) {
    VolumeSpec spec =
        new VolumeSpec(
            key.namespace(),
            key.volume(),
            "ebs",
            "vol-1",
            List.of(
                new VolumeSpec.Capability(
                    AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)),
            Map.of(),
            Map.of(),
            Map.of(),
            null,
            List.of(),
            List.of());
    return new Volume(
        spec,
        VolumeState.REGISTERED,
        new Volume.Origin("c1", "ann", "new"),
        null,
        null,
        NOW,
        null,
        null);
  }

  private static Claim claim(VolumeKey key) {
    ClaimAsk ask =
        new ClaimAsk(
            "nomad",
            "r1",
            "n1",
            null,
            JobType.SERVICE,
            ClaimMode.WRITE,
            AccessMode.SINGLE_NODE_WRITER,
            AttachmentMode.FILE_SYSTEM,
            null,
            NOW);
    return new Claim(
        key,
        "a1",
        ask,
        1,
        1,
        ClientStatus.PENDING,
        DesiredStatus.RUN,
        ClaimState.WAITING,
        NOW,
        false,
        null,
        null,
        null,
        NodeStep.OPEN,
        null,
        false,
        null,
        null,
        false,
        null,
        new Hold(HoldCode.CONTROLLER_ERROR, "no disk", RpcCode.INTERNAL, 10, NOW, NOW, null, true),
        new Letter(HoldCode.CONTROLLER_ERROR, CsiCall.CONTROLLER_PUBLISH),
        null,
        null,
        null,
        null);
  }

  private static Attachment attachment(VolumeKey key) {
    return new Attachment(
        key,
        "n1",
        "ebs",
        "vol-1",
        "i-1",
        1,
        AttachmentState.ATTACHED,
        NOW,
        true,
        true,
        true,
        AccessMode.SINGLE_NODE_WRITER,
        false,
        Map.of(),
        Staging.NONE,
        null,
        null,
        false,
        null,
        false);
  }
}
