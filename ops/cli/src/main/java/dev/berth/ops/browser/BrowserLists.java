package dev.berth.ops.browser;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.berth.ops.api.Listed;
import dev.berth.ops.api.Reads;
import dev.berth.proto.api.ClaimFilter;
import dev.berth.proto.api.ListAttachmentsRequest;
import dev.berth.proto.api.ListClaimsRequest;
import dev.berth.proto.api.ListLanesRequest;
import dev.berth.proto.api.ListNodeSlotsRequest;
import dev.berth.proto.api.ListNodesRequest;
import dev.berth.proto.api.ListPluginsRequest;
import dev.berth.proto.api.ListStuckRequest;
import dev.berth.proto.api.ListVolumesRequest;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The lists of the API by their names in paths, filtered by the fields of their requests. */
final class BrowserLists {
  /** Every list is read to its end. */
  private static final String PAGE_TOKEN = "page_token";

  private static final Map<String, Reading> LISTS =
      new TreeMap<>(
          Map.of(
              "stuck",
              (reads, query) -> reads.stuck(filled(ListStuckRequest.getDefaultInstance(), query)),
              "claims",
              (reads, query) ->
                  reads.claims(
                      ListClaimsRequest.newBuilder()
                          .setFilter(filled(ClaimFilter.getDefaultInstance(), query))
                          .build()),
              "volumes",
              (reads, query) ->
                  reads.volumes(filled(ListVolumesRequest.getDefaultInstance(), query)),
              "attachments",
              (reads, query) ->
                  reads.attachments(filled(ListAttachmentsRequest.getDefaultInstance(), query)),
              "plugins",
              (reads, query) ->
                  reads.plugins(filled(ListPluginsRequest.getDefaultInstance(), query)),
              "lanes",
              (reads, query) -> reads.lanes(filled(ListLanesRequest.getDefaultInstance(), query)),
              "nodes",
              (reads, query) -> reads.nodes(filled(ListNodesRequest.getDefaultInstance(), query)),
              "slots",
              (reads, query) ->
                  reads.slots(filled(ListNodeSlotsRequest.getDefaultInstance(), query))));

  private BrowserLists() {}

  /** Reads a list. */
  @FunctionalInterface
  private interface Reading {
    Listed<? extends Message> read(Reads reads, Map<String, String> query);
  }

  static Set<String> names() {
    return LISTS.keySet();
  }

  /**
   * Reads a list to its end.
   *
   * @param query filters by name
   * @throws RefusedException when there is no such list, or filter of it
   */
  static Listed<? extends Message> read(String name, Reads reads, Map<String, String> query) {
    Reading list = LISTS.get(name);
    if (list == null) {
      throw new RefusedException(
          404, "there is no list of that name; there are " + String.join(", ", names()));
    }
    return list.read(reads, query);
  }

  private static <Q extends Message> Q filled(Q empty, Map<String, String> query) {
    Message.Builder filled = empty.newBuilderForType();
    query.forEach(
        (name, value) -> {
          FieldDescriptor field = empty.getDescriptorForType().findFieldByName(name);
          if (field == null
              || field.isRepeated()
              || field.getJavaType() != FieldDescriptor.JavaType.STRING
              || name.equals(PAGE_TOKEN)) {
            throw new RefusedException(400, "'%s' is no filter of this list".formatted(name));
          }
          filled.setField(field, value);
        });
    @SuppressWarnings("unchecked") // Built from the very message that it is cast to.
    Q request = (Q) empty.getClass().cast(filled.build());
    return request;
  }
}
