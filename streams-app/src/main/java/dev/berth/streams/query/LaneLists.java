package dev.berth.streams.query;

import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.ListLanesRequest;
import dev.berth.proto.api.ListLanesResponse;
import dev.berth.proto.api.ListNodeSlotsRequest;
import dev.berth.proto.api.ListNodeSlotsResponse;
import dev.berth.proto.api.NodeSlots;
import dev.berth.proto.api.PluginLanes;
import dev.berth.records.PluginRole;
import dev.berth.schemas.topics.Keys;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.kernel.KeyOrder;
import dev.berth.streams.lanes.LaneTables;
import dev.berth.streams.lanes.LanesView;
import dev.berth.streams.topology.ProcessorStore;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/** The lists of what {@code Lanes} has. */
final class LaneLists {
  static final Listing<ListLanesRequest, PluginLanes, ListLanesResponse> LANES =
      new Listing<>(
          BerthGrpc.getListLanesMethod(),
          ListLanesResponse.getDefaultInstance(),
          ProcessorStore.LANES,
          PluginLanes.class,
          PluginLanes::getPlugin,
          request -> one(request.getPlugin()),
          LaneLists::lanes);

  private LaneLists() {}

  /**
   * The list of slots.
   *
   * @param partitions partitions of the lanes (count), asked for with each reading: every partition
   *     knows the instances of all plugins, and only tells of its own
   */
  static Listing<ListNodeSlotsRequest, NodeSlots, ListNodeSlotsResponse> slots(
      IntSupplier partitions) {
    return new Listing<>(
        BerthGrpc.getListNodeSlotsMethod(),
        ListNodeSlotsResponse.getDefaultInstance(),
        ProcessorStore.LANES,
        NodeSlots.class,
        slots -> Keys.slots(slots.getPlugin(), slots.getNode()),
        request -> one(request.getPlugin()),
        (reading, request, after, taker) ->
            slots(reading, request, after, taker, partitions.getAsInt()));
  }

  private static Optional<String> one(String plugin) {
    return plugin.isEmpty() ? Optional.empty() : Optional.of(plugin);
  }

  private static void lanes(
      Reading reading, ListLanesRequest request, String after, Predicate<PluginLanes> taker) {
    String prefix = request.getPlugin();
    reading
        .state()
        .walk(
            LaneTables.PLUGIN_LANES,
            prefix,
            Listing.from(prefix, after),
            row -> {
              Lister.requireWanted();
              return !ClaimMessages.matches(request.getPlugin(), row.key())
                  || taker.test(
                      LaneMessages.of(
                          LanesView.of(reading.state(), row.value(), reading.now()),
                          reading.sees()));
            });
  }

  private static void slots(
      Reading reading,
      ListNodeSlotsRequest request,
      String after,
      Predicate<NodeSlots> taker,
      int partitions) {

    TreeSet<String> keys = new TreeSet<>(KeyOrder.OF_STORES);
    reading
        .state()
        .walk(
            LaneTables.SLOT_COUNTS,
            "",
            "",
            row -> {
              keys.add(row.key());
              return true;
            });
    reading
        .state()
        .walk(
            ClusterTables.INSTANCES,
            "",
            "",
            row -> {
              if (row.value().role() == PluginRole.NODE
                  && Keys.partition(row.value().plugin(), partitions) == reading.partition()) {
                keys.add(Keys.slots(row.value().plugin(), row.value().node()));
              }
              return true;
            });
    boolean wanted = true;
    for (String key : keys.tailSet(after, false)) {
      int slash = key.indexOf('/');
      String plugin = key.substring(0, slash);
      String node = key.substring(slash + 1);
      if (wanted
          && ClaimMessages.matches(request.getPlugin(), plugin)
          && ClaimMessages.matches(request.getNode(), node)) {
        wanted =
            taker.test(
                LaneMessages.of(
                    dev.berth.streams.lanes.NodeSlots.of(
                        reading.state(), plugin, node, reading.now())));
      }
    }
  }
}
