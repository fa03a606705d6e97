package dev.berth.streams.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimState;
import dev.berth.records.ClientStatus;
import dev.berth.records.CsiCall;
import dev.berth.records.DesiredStatus;
import dev.berth.records.EndCause;
import dev.berth.records.HoldCode;
import dev.berth.records.JobType;
import dev.berth.records.NodeStep;
import dev.berth.records.VolumeState;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimAsk;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimTerms;
import dev.berth.streams.claims.Letter;
import dev.berth.streams.claims.Volume;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import dev.berth.streams.lanes.Breaker;
import dev.berth.streams.lanes.Lane;
import dev.berth.streams.lanes.LaneTables;
import dev.berth.streams.lanes.PluginLanes;
import dev.berth.streams.lanes.QueueEntry;
import dev.berth.streams.policy.Policy.LaneScope;
import dev.berth.streams.topology.ProcessorStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A survey of the tables")
class SurveyTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final MapState claims = new MapState();
  private final MapState otherClaims = new MapState();
  private final MapState lanes = new MapState();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private Instant now = START;
  private final Survey survey = new Survey(this::tables, registry, () -> now);

  @Test
  @DisplayName("counts the claims of all partitions by state, plugin and namespace")
  void countsClaims() {
    volume(claims, "a/v1", "ebs");
    claim(claims, "a/v1", "1", ClaimState.TAKEN, START.minusSeconds(60), "ebs", null);
    claim(claims, "a/v1", "2", ClaimState.WAITING, START.minusSeconds(30), null, null);
    claim(claims, "a/v1", "3", ClaimState.RESERVING, START.minusSeconds(20), "ebs", null);
    claim(otherClaims, "b/v2", "4", ClaimState.NODE_DETACHED, START.minusSeconds(5), "nfs", null);
    claim(otherClaims, "b/v3", "5", ClaimState.NODE_DETACHED, START.minusSeconds(9), "nfs", null);
    claim(otherClaims, "b/v4", "6", ClaimState.WAITING, START, null, null);

    look();

    assertThat(shown("berth.claims"))
        .isEqualTo(
            Map.of(
                "namespace=a plugin=ebs state=taken", 1.0,
                "namespace=a plugin=ebs state=waiting", 2.0,
                "namespace=b plugin= state=waiting", 1.0,
                "namespace=b plugin=nfs state=node-detached", 2.0));
    assertThat(shown("berth.claim.oldest"))
        .containsEntry("namespace=a plugin=ebs state=waiting", 30.0)
        .containsEntry("namespace=b plugin=nfs state=node-detached", 9.0);
  }

  @Test
  @DisplayName("tells how many allocs wait for their volume, whatever for, and how long")
  void waiting() {
    now = START.plusSeconds(40);
    claim(claims, "a/v1", "1", ClaimState.TAKEN, START, "ebs", null);
    claim(claims, "a/v1", "2", ClaimState.RESERVING, START, "ebs", null);
    claim(claims, "a/v2", "3", ClaimState.NODE_DETACHED, START, "ebs", null);
    claim(otherClaims, "b/v1", "4", ClaimState.WAITING, START, null, null);

    look();

    assertThat(shown("berth.claims.waiting"))
        .isEqualTo(Map.of("namespace=a plugin=ebs", 2.0, "namespace=b plugin=", 1.0));
    assertThat(shown("berth.claim.waiting.oldest"))
        .isEqualTo(Map.of("namespace=a plugin=ebs", 40.0, "namespace=b plugin=", 40.0));
  }

  @Test
  @DisplayName("counts the dead letters that are open by their code")
  void countsStuck() {
    Letter letter = new Letter(HoldCode.CONTROLLER_ERROR, CsiCall.CONTROLLER_UNPUBLISH);
    claim(claims, "a/v1", "1", ClaimState.NODE_DETACHED, START, "ebs", letter);
    claim(claims, "a/v2", "2", ClaimState.NODE_DETACHED, START, "ebs", letter);
    claim(claims, "a/v3", "3", ClaimState.TAKEN, START, "ebs", null);

    look();

    assertThat(shown("berth.stuck.claims"))
        .isEqualTo(Map.of("code=controller-error namespace=a plugin=ebs", 2.0));
  }

  @Test
  @DisplayName("lets ages go on between two looks, and takes back what is gone with the next")
  void agesAndEnds() {
    claim(claims, "a/v1", "1", ClaimState.TAKEN, START, "ebs", null);
    look();
    now = START.plusSeconds(90);
    assertThat(shown("berth.claim.oldest")).containsValue(90.0);
    assertThat(shown("berth.survey.age")).containsValue(90.0);

    claims.apply(new Change.Remove(ClaimTables.CLAIMS, "a/v1/1"));
    look();

    assertThat(shown("berth.claims")).isEmpty();
    assertThat(shown("berth.claim.oldest")).isEmpty();
    assertThat(shown("berth.survey.age")).containsValue(0.0);
  }

  @Test
  @DisplayName("shows nothing of a look that was ended")
  void ended() {
    claim(claims, "a/v1", "1", ClaimState.TAKEN, START, "ebs", null);

    survey.look(() -> false);

    assertThat(shown("berth.claims")).isEmpty();
  }

  @Test
  @DisplayName("tells a bounded number of plugins and namespaces apart, and all others together")
  void boundedLabels() {
    for (int i = 100; i < 350; i++) {
      claim(claims, "ns" + i + "/v", "1", ClaimState.TAKEN, START, "p" + i, null);
    }

    look();

    assertThat(shown("berth.claims"))
        .hasSize(101)
        .containsEntry("namespace=ns100 plugin=p100 state=taken", 1.0)
        .containsEntry("namespace=(others) plugin=(others) state=taken", 150.0);
  }

  @Test
  @DisplayName(
      "tells of each plugin's lanes how long and how old the line is, and how busy they are")
  void looksAtLanes() {
    put(lanes, LaneTables.PLUGIN_LANES, "ebs", plugin("ebs", 3, 1, 1, false));
    put(lanes, LaneTables.PLUGIN_LANES, "nfs", plugin("nfs", 0, 0, 0, true));
    put(lanes, LaneTables.LANES, "ebs/controller/node/n1", new Lane("ebs/1", null));
    put(lanes, LaneTables.LANES, "ebs/controller/node/n9", new Lane(null, null));
    for (String position : List.of("001", "002")) {
      put(
          lanes,
          LaneTables.QUEUE,
          "ebs/controller/node/n1/attach/" + position,
          new QueueEntry("r" + position, "n1"));
    }
    put(lanes, LaneTables.QUEUE, "ebs/controller/node/n2/detach/003", new QueueEntry("r003", "n2"));
    put(lanes, LaneTables.BREAKERS, "ebs/n1", new Breaker(7, START));
    put(lanes, LaneTables.BREAKERS, "ebs/n2", new Breaker(1, null));

    look();

    assertThat(shown("berth.lane.queued.calls"))
        .isEqualTo(Map.of("plugin=ebs", 3.0, "plugin=nfs", 0.0));
    assertThat(shown("berth.lane.held.calls")).containsEntry("plugin=ebs", 1.0);
    assertThat(shown("berth.lane.open.calls")).containsEntry("plugin=ebs", 1.0);
    assertThat(shown("berth.lanes")).isEqualTo(Map.of("plugin=ebs", 2.0, "plugin=nfs", 0.0));
    assertThat(shown("berth.lane.utilisation"))
        .isEqualTo(Map.of("plugin=ebs", 0.5, "plugin=nfs", 0.0));
    assertThat(shown("berth.breakers.open")).containsEntry("plugin=ebs", 1.0);
    assertThat(shown("berth.plugin.paused"))
        .isEqualTo(Map.of("plugin=ebs", 0.0, "plugin=nfs", 1.0));
  }

  private void look() {
    survey.look(() -> true);
  }

  private List<State> tables(ProcessorStore store) {
    return switch (store) {
      case VOLUME_CLAIMS -> List.of(claims, otherClaims);
      case LANES -> List.of(lanes);
      case CLUSTER -> List.of();
    };
  }

  /** The series of a gauge: labels and value. */
  private Map<String, Double> shown(String name) {
    return registry.find(name).gauges().stream()
        .collect(
            Collectors.toMap(
                gauge ->
                    gauge.getId().getTags().stream()
                        .map(tag -> tag.getKey() + "=" + tag.getValue())
                        .sorted()
                        .collect(Collectors.joining(" ")),
                gauge -> gauge.value(),
                (one, other) -> other,
                TreeMap::new));
  }

  private static PluginLanes plugin(
      String plugin, long queued, long held, long open, boolean paused) {
    return new PluginLanes(
        plugin,
        START,
        LaneScope.NODE,
        false,
        paused ? new PluginLanes.Pause("ops", "window", START) : null,
        null,
        0,
        0,
        0,
        queued,
        held,
        open,
        Duration.ZERO,
        Duration.ZERO);
  }

  private static void volume(MapState state, String key, String plugin) {
    VolumeKey volume = VolumeKey.parse(key);
    VolumeSpec spec =
        new VolumeSpec(
            volume.namespace(),
            volume.volume(),
            plugin,
            "vol",
            List.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            null,
            List.of(),
            List.of());
    put(
        state,
        ClaimTables.VOLUMES,
        key,
        new Volume(
            spec,
            VolumeState.REGISTERED,
            new Volume.Origin("c1", "ops", ""),
            null,
            null,
            START,
            null,
            null));
  }

  private static void claim(
      MapState state,
      String volume,
      String alloc,
      ClaimState at,
      Instant since,
      @Nullable String plugin,
      @Nullable Letter letter) {
    ClaimAsk ask =
        new ClaimAsk(
            "nomad",
            "r",
            "n1",
            null,
            JobType.SERVICE,
            ClaimMode.WRITE,
            AccessMode.SINGLE_NODE_WRITER,
            AttachmentMode.FILE_SYSTEM,
            null,
            START);
    ClaimTerms terms =
        plugin == null
            ? null
            : new ClaimTerms(plugin, "vol", "i-1", true, Map.of(), Map.of(), null, List.of());
    put(
        state,
        ClaimTables.CLAIMS,
        volume + "/" + alloc,
        new Claim(
            VolumeKey.parse(volume),
            alloc,
            ask,
            1,
            1,
            ClientStatus.RUNNING,
            DesiredStatus.RUN,
            at,
            since,
            false,
            at.compareTo(ClaimState.TAKEN) > 0
                ? new Claim.Ending(since, EndCause.ALLOC_GONE)
                : null,
            terms,
            null,
            NodeStep.OPEN,
            null,
            false,
            null,
            null,
            false,
            null,
            null,
            letter,
            null,
            null,
            null,
            null));
  }

  private static <V> void put(MapState state, Table<V> table, String key, V value) {
    state.apply(new Change.Put<>(table, key, value));
  }
}
