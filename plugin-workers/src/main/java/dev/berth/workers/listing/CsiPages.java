package dev.berth.workers.listing;

import dev.berth.proto.csi.ControllerGrpc;
import dev.berth.proto.csi.ListVolumesRequest;
import dev.berth.proto.csi.ListVolumesResponse;
import dev.berth.records.ListedVolume;
import dev.berth.workers.csi.PluginConnection;
import dev.berth.workers.csi.StatusText;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Asks a controller for pages (csi.v1 ListVolumes). */
final class CsiPages implements PageSource {

  /** Small enough for a plugin that looks each of them up, large enough for ten thousands. */
  static final int ENTRIES = 500;

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Of a plugin that heeds no max_entries (bytes); gRPC's own limit is 4 MiB. */
  private static final int LARGEST_PAGE = 64 * 1024 * 1024;

  private static final int LONGEST_MESSAGE = 300;

  private final PluginConnection connection;

  CsiPages(PluginConnection connection) {
    this.connection = connection;
  }

  @Override
  public Answer ask(String token) {
    ListVolumesRequest request =
        ListVolumesRequest.newBuilder().setMaxEntries(ENTRIES).setStartingToken(token).build();
    CallOptions options =
        CallOptions.DEFAULT
            .withDeadlineAfter(LIMIT.toMillis(), TimeUnit.MILLISECONDS)
            .withMaxInboundMessageSize(LARGEST_PAGE);
    try {
      return page(
          ClientCalls.blockingUnaryCall(
              connection.channel(), ControllerGrpc.getListVolumesMethod(), options, request));
    } catch (StatusRuntimeException e) {
      String text = shorten(StatusText.of(e.getStatus()));
      return e.getStatus().getCode() == Status.Code.ABORTED
          ? new TokenLost(text)
          : new Failed("ListVolumes failed with %s (%s)".formatted(e.getStatus().getCode(), text));
    }
  }

  private static Answer page(ListVolumesResponse response) {
    if (response.getEntriesList().stream()
        .anyMatch(entry -> entry.getVolume().getVolumeId().isEmpty())) {
      return new Failed("ListVolumes names a volume without volume_id, which csi.v1 requires");
    }
    List<ListedVolume> volumes =
        response.getEntriesList().stream()
            // A volume without status is one of which nothing is said, not one that is detached.
            .filter(ListVolumesResponse.Entry::hasStatus)
            .map(
                entry ->
                    new ListedVolume(
                        entry.getVolume().getVolumeId(),
                        List.copyOf(entry.getStatus().getPublishedNodeIdsList())))
            .toList();
    return new Page(volumes, response.getNextToken());
  }

  private static String shorten(String text) {
    return text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE) + "…";
  }
}
