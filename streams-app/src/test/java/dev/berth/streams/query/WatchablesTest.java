package dev.berth.streams.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.berth.proto.api.WatchAttachmentsRequest;
import dev.berth.proto.api.WatchClaimsRequest;
import dev.berth.proto.api.WatchLanesRequest;
import dev.berth.proto.api.WatchNodeSlotsRequest;
import dev.berth.proto.api.WatchNodesRequest;
import dev.berth.proto.api.WatchPluginsRequest;
import dev.berth.proto.api.WatchStuckRequest;
import dev.berth.proto.api.WatchVolumesRequest;
import dev.berth.schemas.topics.Topic;
import io.grpc.Context;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each kind of watch: what gives it cause to look, and at what. */
@DisplayName("A watch")
class WatchablesTest {
  private static final Map<String, Watchable<?, ?, ?, ?>> WATCHED =
      Map.of(
          "stuck", Watchables.STUCK,
          "claims", Watchables.CLAIMS,
          "volumes", Watchables.VOLUMES,
          "attachments", Watchables.ATTACHMENTS,
          "plugins", Watchables.PLUGINS,
          "lanes", Watchables.LANES,
          "nodes", Watchables.NODES,
          "slots", Watchables.slots(LaneLists.slots(() -> 2)));

  private static final Map<String, Message> REQUESTS =
      Map.of(
          "stuck", WatchStuckRequest.newBuilder().setVolume("db").setCode("timeout").build(),
          "claims", WatchClaimsRequest.getDefaultInstance(),
          "volumes", WatchVolumesRequest.newBuilder().setPlugin("ebs").build(),
          "attachments", WatchAttachmentsRequest.newBuilder().setNamespace("prod").build(),
          "plugins", WatchPluginsRequest.newBuilder().setPlugin("ebs").build(),
          "lanes", WatchLanesRequest.getDefaultInstance(),
          "nodes", WatchNodesRequest.newBuilder().setScheduler("nomad").build(),
          "slots", WatchNodeSlotsRequest.newBuilder().setNode("n1").build());

  @ParameterizedTest(name = "of {0} on a record of {1} with key {2}")
  @DisplayName("is given cause by records")
  @CsvSource({
    "claims, CLAIMS, prod/db/a1, prod/db/a1",
    "stuck, CLAIMS, prod/db/a1, prod/db/a1",
    "stuck, STUCK_CLAIMS, prod/db/@i-1, prod/db/@i-1",
    "volumes, VOLUMES, prod/db, prod/db",
    "volumes, CLAIMS, prod/db/a1, prod/db",
    "volumes, VOLUME_SIGNALS, , ''",
    "attachments, ATTACHMENTS, prod/db/n1, prod/db/n1",
    "plugins, PLUGINS, ebs/node@n1, ebs",
    "plugins, VOLUME_SIGNALS, , ''",
    "lanes, LANE_STATUS, ebs, ebs",
    "lanes, LANE_STATUS, ebs/k3f-01, ebs",
    "nodes, NODE_VIEWS, n1, n1",
    "slots, NODE_SLOTS, ebs/n1, ebs/n1",
    "slots, LANE_SIGNALS, , ''",
    "claims, CLAIMS, , none",
    "claims, CLAIMS, broken, none",
  })
  void causes(String watch, Topic topic, @Nullable String key, String entry) {
    assertThat(WATCHED.get(watch).causes().get(topic).of(key))
        .isEqualTo(entry.equals("none") ? Optional.empty() : Optional.of(entry));
  }

  @ParameterizedTest(name = "of {0} at {1}")
  @DisplayName("looks at one entry alone, and at none that was not asked for")
  @CsvSource(
      delimiter = '|',
      value = {
        "claims | prod/db/a1 | filter { namespace: 'prod' volume: 'db' alloc: 'a1' }",
        "stuck | prod/db/a1 | namespace: 'prod' code: 'timeout' volume: 'db' alloc: 'a1'",
        "stuck | prod/db/@i-1 | namespace: 'prod' code: 'timeout' volume: 'db'",
        "stuck | prod/web/a1 | none",
        "volumes | prod/db | namespace: 'prod' plugin: 'ebs' volume: 'db'",
        "volumes | other/db | none",
        "attachments | prod/db/n1 | namespace: 'prod' volume: 'db' node: 'n1'",
        "attachments | test/db/n1 | none",
        "plugins | ebs | plugin: 'ebs'",
        "plugins | nfs | none",
        "lanes | ebs | plugin: 'ebs'",
        "nodes | n1 | node: 'n1' scheduler: 'nomad'",
        "slots | ebs/n1 | plugin: 'ebs' node: 'n1'",
        "slots | ebs/n2 | none",
      })
  void one(String watch, String key, String request) throws Exception {
    Caller caller = new Caller("ann", Set.of(Caller.Role.READ), Set.of("prod", "test"));
    String found =
        Context.current()
            .withValue(Caller.KEY, caller)
            .call(() -> one(WATCHED.get(watch), REQUESTS.get(watch), key));
    assertThat(found.replace('"', '\'')).isEqualTo(request);
  }

  private static <Q extends Message> String one(
      Watchable<Q, ?, ?, ?> watched, Message request, String key) {
    return watched
        .one()
        .apply(Fields.copied(request, watched.every()), key)
        .map(asked -> TextFormat.printer().emittingSingleLine(true).printToString(asked))
        .orElse("none");
  }

  @ParameterizedTest(name = "of {0} of {1}")
  @DisplayName("says which entry is gone by what its list shows of it")
  @CsvSource(
      delimiter = '|',
      value = {
        "claims | prod/db/a1 | ref { namespace: 'prod' volume: 'db' } alloc: 'a1'",
        "stuck | prod/db/a1 | ref { namespace: 'prod' volume: 'db' } alloc: 'a1'",
        "stuck | prod/db/@i-1 | ref { namespace: 'prod' volume: 'db' } node: 'i-1'",
        "volumes | prod/db | ref { namespace: 'prod' volume: 'db' }",
        "attachments | prod/db/n1 | ref { namespace: 'prod' volume: 'db' } node: 'n1'",
        "plugins | ebs | plugin: 'ebs'",
        "lanes | ebs | plugin: 'ebs'",
        "nodes | n1 | node: 'n1'",
        "slots | ebs/n1 | plugin: 'ebs' node: 'n1'",
      })
  void removed(String watch, String key, String told) {
    assertThat(
            TextFormat.printer()
                .emittingSingleLine(true)
                .printToString(WATCHED.get(watch).removed().apply(key))
                .replace('"', '\''))
        .isEqualTo(told);
  }

  @Test
  @DisplayName("is there for every list")
  void everyList() {
    assertThat(WATCHED.values())
        .extracting(watched -> watched.change().getClass().getSimpleName())
        .containsExactlyInAnyOrder(
            "WatchStuckResponse",
            "WatchClaimsResponse",
            "WatchVolumesResponse",
            "WatchAttachmentsResponse",
            "WatchPluginsResponse",
            "WatchLanesResponse",
            "WatchNodesResponse",
            "WatchNodeSlotsResponse");
  }
}
