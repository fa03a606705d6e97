package dev.berth.streams.query;

import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.GetCallsRequest;
import dev.berth.proto.api.GetCallsResponse;
import dev.berth.proto.api.GetVolumeRequest;
import dev.berth.proto.api.GetVolumeResponse;
import dev.berth.proto.api.LaneCall;
import dev.berth.proto.api.ListNodeSlotsRequest;
import dev.berth.proto.api.ListNodeSlotsResponse;
import dev.berth.proto.api.NodeSlots;
import dev.berth.proto.api.ReadOptions;
import dev.berth.proto.api.VolumeRef;
import dev.berth.schemas.topics.Keys;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.lanes.CallStatus;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.topology.ProcessorStore;
import io.grpc.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads about one volume, and about single calls. */
final class VolumeReads {
  private static final int MOST_CALLS = 1_000;

  private final Fan fan;
  private final Lister lister;
  private final Listing<ListNodeSlotsRequest, NodeSlots, ListNodeSlotsResponse> slots;

  VolumeReads(
      Fan fan,
      Lister lister,
      Listing<ListNodeSlotsRequest, NodeSlots, ListNodeSlotsResponse> slots) {
    this.fan = fan;
    this.lister = lister;
    this.slots = slots;
  }

  /**
   * A volume with all that is on it. What the lanes know is added by the instance that the client
   * asked; while they do not answer, the rest is answered without.
   *
   * @throws io.grpc.StatusRuntimeException NOT_FOUND when neither it nor a claim on it is known
   */
  GetVolumeResponse volume(GetVolumeRequest request) {
    VolumeKey key = key(request.getRef());
    Answers<GetVolumeResponse> answers =
        fan.ask(
            new Question<>(
                ProcessorStore.VOLUME_CLAIMS,
                BerthGrpc.getGetVolumeMethod(),
                request,
                readings -> local(readings, key)),
            partition(ProcessorStore.VOLUME_CLAIMS, key.toString()),
            whole(request.getOptions()));
    GetVolumeResponse.Builder volume =
        answers.parts().get(0).toBuilder().setFreshness(answers.freshness());
    if (Scope.current() == null) {
      addFromLanes(volume, request.getOptions());
    }
    return volume.build();
  }

  private static GetVolumeResponse local(List<Reading> readings, VolumeKey key) {
    Reading reading = readings.get(0);
    return VolumeAnswer.of(reading.state(), key, reading.now())
        .filter(answer -> reading.sees().test(key.namespace()))
        .orElseThrow(
            () ->
                Status.NOT_FOUND
                    .withDescription(
                        "volume %s is not registered, and no claim is on it: look for its name in"
                                .formatted(key)
                            + " the list of volumes")
                    .asRuntimeException());
  }

  private void addFromLanes(GetVolumeResponse.Builder volume, ReadOptions options) {
    Map<String, List<Claim>> byPlugin =
        volume.getClaimsList().stream()
            .filter(claim -> !claim.getPlugin().isEmpty())
            .collect(Collectors.groupingBy(Claim::getPlugin));
    Map<String, LaneCall> calls = new HashMap<>();
    byPlugin.forEach(
        (plugin, claims) -> {
          try {
            calls.putAll(calls(plugin, claims, options));
            Set<String> nodes = claims.stream().map(Claim::getNode).collect(Collectors.toSet());
            slots(plugin, options).stream()
                .filter(slots -> nodes.contains(slots.getNode()))
                .forEach(volume::addSlots);
          } catch (UnavailableException e) {
            volume.setFreshness(
                volume.getFreshness().toBuilder().addMissing(String.valueOf(e.getMessage())));
          }
        });
    for (Claim.Builder claim : volume.getClaimsBuilderList()) {
      LaneCall call = calls.get(claim.getRequest());
      if (call != null) {
        claim.setCall(call);
      }
    }
  }

  /** The calls of claims that are with the lanes, by request. */
  Map<String, LaneCall> calls(String plugin, List<Claim> claims, ReadOptions options) {
    List<String> requests =
        claims.stream()
            .map(Claim::getRequest)
            .filter(request -> !request.isEmpty())
            .distinct()
            .limit(MOST_CALLS)
            .toList();
    if (requests.isEmpty()) {
      return Map.of();
    }
    return calls(
            GetCallsRequest.newBuilder()
                .setPlugin(plugin)
                .addAllRequests(requests)
                .setOptions(options)
                .build())
        .getCallsList()
        .stream()
        .collect(Collectors.toMap(LaneCall::getRequest, call -> call));
  }

  private List<NodeSlots> slots(String plugin, ReadOptions options) {
    return lister
        .page(
            slots,
            ListNodeSlotsRequest.newBuilder().setPlugin(plugin).setPageSize(1_000).build(),
            options)
        .getSlotsList();
  }

  /** Where calls of a plugin are. */
  GetCallsResponse calls(GetCallsRequest request) {
    if (request.getPlugin().isEmpty() || request.getRequestsCount() > MOST_CALLS) {
      throw Status.INVALID_ARGUMENT
          .withDescription(
              "plugin='%s' with %d requests: name the plugin, and at most %d requests"
                  .formatted(request.getPlugin(), request.getRequestsCount(), MOST_CALLS))
          .asRuntimeException();
    }
    Answers<GetCallsResponse> answers =
        fan.ask(
            new Question<>(
                ProcessorStore.LANES,
                BerthGrpc.getGetCallsMethod(),
                request,
                readings -> localCalls(readings, request)),
            partition(ProcessorStore.LANES, request.getPlugin()),
            whole(request.getOptions()));
    return answers.parts().get(0).toBuilder().setFreshness(answers.freshness()).build();
  }

  private static GetCallsResponse localCalls(List<Reading> readings, GetCallsRequest request) {
    Reading reading = readings.get(0);
    Policies policies = ClusterTables.policies(reading.state());
    GetCallsResponse.Builder message = GetCallsResponse.newBuilder();
    for (String id : request.getRequestsList()) {
      CallStatus.of(reading.state(), id, reading.now(), policies)
          .filter(status -> status.call().plugin().equals(request.getPlugin()))
          .filter(status -> reading.sees().test(status.call().call().namespace()))
          .ifPresent(status -> message.addCalls(LaneMessages.of(status)));
    }
    return message.build();
  }

  private Set<Integer> partition(ProcessorStore store, String key) {
    return Set.of(Keys.partition(key, fan.partitions(store)));
  }

  /** One thing is there or it is not: a part of it would be nothing. */
  private static ReadOptions whole(ReadOptions options) {
    return options.toBuilder().clearAllowPartial().build();
  }

  /**
   * The key of a volume.
   *
   * @throws io.grpc.StatusRuntimeException INVALID_ARGUMENT when it names none, PERMISSION_DENIED
   *     when its namespace is not the caller's
   */
  static VolumeKey key(VolumeRef ref) {
    String text = Keys.volume(ref.getNamespace(), ref.getVolume());
    VolumeKey key;
    try {
      key = VolumeKey.parse(text);
    } catch (IllegalArgumentException e) {
      throw Status.INVALID_ARGUMENT
          .withDescription(
              "ref='%s': name namespace and volume, each without a slash".formatted(text))
          .asRuntimeException();
    }
    if (!Caller.current().sees(key.namespace())) {
      throw Status.PERMISSION_DENIED
          .withDescription(
              "namespace %s is not among those of %s"
                  .formatted(key.namespace(), Caller.current().name()))
          .asRuntimeException();
    }
    return key;
  }
}
