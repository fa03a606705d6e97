package dev.berth.ops.chaos;

import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSnapshot;
import dev.berth.ops.topics.RowsLeft;
import dev.berth.ops.topics.TopicContent;
import dev.berth.records.Acceptance;
import dev.berth.records.Attachment;
import dev.berth.records.Claim;
import dev.berth.records.ClaimDecision;
import dev.berth.records.LaneStatus;
import dev.berth.records.Work;
import dev.berth.schemas.topics.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One run: a cluster, a load, the faults of a schedule, rest, and the check. */
public final class ChaosRun {

  private static final Duration FOR_REST = Duration.ofMinutes(2);

  private final ChaosSchedule schedule;
  private final GroupProtocols protocols;
  private final boolean outlive;
  private final Path directory;

  /**
   * Prepares a run.
   *
   * @param protocols how Streams instances and workers find their partitions
   * @param outlive whether slow calls go on inside the plugin after their callers have gone
   * @param directory empty; short, since sockets are in it
   */
  public ChaosRun(
      ChaosSchedule schedule, GroupProtocols protocols, boolean outlive, Path directory) {
    this.schedule = schedule;
    this.protocols = protocols;
    this.outlive = outlive;
    this.directory = directory;
  }

  /**
   * Runs to the end; nothing it started is left then.
   *
   * @param said told what happens, in words
   * @throws IllegalStateException when the cluster does not start
   */
  public ChaosResult run(Consumer<String> said) throws InterruptedException {
    said.accept("starting seven processes");
    try (Cluster cluster =
            Cluster.start(directory, ClusterPlan.chaos(schedule.seed(), protocols, outlive));
        Load load = new Load(cluster.connection(), schedule.seed())) {
      load.prepare();
      said.accept("seed %d: claims, calls and faults".formatted(schedule.seed()));
      load.begin();
      List<Strikes.Done> strikes =
          new Strikes(cluster, InstantSource.system())
              .run(schedule, fault -> said.accept(fault.text()));
      cluster.liftCallFaults();
      said.accept("waiting until everything is released");
      Load.Figures figures = load.end();
      awaitRest(cluster);
      Evidence evidence = collect(cluster, strikes);
      return result(figures, evidence);
    }
  }

  /** Returns without a word when that takes too long: the check names what is left. */
  private static void awaitRest(Cluster cluster) throws InterruptedException {
    for (Topic topic : List.of(Topic.CLAIMS, Topic.ATTACHMENTS)) {
      try (RowsLeft rows = new RowsLeft(cluster.connection(), topic)) {
        rows.awaitNone(FOR_REST);
      }
    }
  }

  private Evidence collect(Cluster cluster, List<Strikes.Done> strikes)
      throws InterruptedException {
    List<String> dead = cluster.dead();
    List<ClaimDecision> decisions = new ArrayList<>();
    Map<Integer, List<Instant>> decidedAt = new HashMap<>();
    Map<String, Claim> claims;
    List<String> attachments;
    List<String> lanes;
    List<Work> works = new ArrayList<>();
    List<String> attempts = new ArrayList<>();
    List<Acceptance> acceptances = new ArrayList<>();
    try (TopicContent content = new TopicContent(cluster.connection())) {
      content.forEach(
          Topic.CLAIM_HISTORY,
          ClaimDecision.class,
          entry ->
              entry
                  .value()
                  .ifPresent(
                      decision -> {
                        decisions.add(decision);
                        decidedAt
                            .computeIfAbsent(entry.partition().partition(), p -> new ArrayList<>())
                            .add(decision.getNow());
                      }));
      content.forEach(Topic.PLUGIN_WORK, Work.class, e -> e.value().ifPresent(works::add));
      works.forEach(work -> attempts.add(work.getAttemptId()));
      content.forEach(
          Topic.NODE_WORK,
          Work.class,
          e -> e.value().map(Work::getAttemptId).ifPresent(attempts::add));
      content.forEach(
          Topic.WORK_ACCEPTANCES, Acceptance.class, e -> e.value().ifPresent(acceptances::add));
      claims = content.table(Topic.CLAIMS, Claim.class);
      attachments = List.copyOf(content.table(Topic.ATTACHMENTS, Attachment.class).keySet());
      lanes = busy(content.table(Topic.LANE_STATUS, LaneStatus.class));
    }
    // Its journals and its log are read by us now.
    cluster.child(Cluster.PLUGINS).kill();
    return new Evidence(
        cluster.calls(),
        Allowance.of(works, acceptances),
        attempts,
        providers(),
        decisions,
        decidedAt,
        claims,
        attachments,
        lanes,
        strikes,
        dead,
        outlive);
  }

  /** A status of an attempt that waits counts nothing; it is not to be there at all. */
  private static List<String> busy(Map<String, LaneStatus> statuses) {
    return statuses.entrySet().stream()
        .filter(
            entry -> {
              LaneStatus lanes = entry.getValue();
              long calls = lanes.getQueued() + lanes.getHeld() + lanes.getInFlight();
              return calls > 0 || !lanes.getOpen().isEmpty();
            })
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private Map<String, ProviderSnapshot> providers() {
    Map<String, ProviderSnapshot> providers = new TreeMap<>();
    for (String plugin : Cluster.PLUGIN_IDS) {
      try (Provider provider = PluginsMain.provider(plugin, directory)) {
        providers.put(plugin, provider.snapshot());
      } catch (IOException e) {
        throw new UncheckedIOException("the journal of " + plugin + " cannot be read", e);
      }
    }
    return providers;
  }

  private ChaosResult result(Load.Figures figures, Evidence evidence) {
    ChaosCheck check = ChaosCheck.of(evidence);
    Failovers failovers = Failovers.of(evidence);
    Map<String, Long> strikes =
        evidence.strikes().stream()
            .collect(
                Collectors.groupingBy(
                    done -> done.fault().kind() + " " + done.fault().target(),
                    TreeMap::new,
                    Collectors.counting()));
    return new ChaosResult(
        schedule,
        protocols,
        figures.claims(),
        figures.granted(),
        figures.unanswered(),
        figures.rejected(),
        figures.commands(),
        evidence.calls().size(),
        strikes,
        failovers.workers(),
        failovers.streams(),
        outlive,
        check.problems(),
        check.lateSends(),
        check.apart());
  }
}
