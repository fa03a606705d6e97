package dev.berth.streams.metrics;

import dev.berth.streams.kernel.State;
import dev.berth.streams.topology.ProcessorStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Looks at the tables that this instance owns, now and then, and shows in gauges what it saw. Ages
 * go on by themselves between two looks. Used by one thread; the gauges are read by any.
 */
final class Survey {
  private static final String SECONDS = "seconds";

  private final Function<ProcessorStore, List<State>> tables;
  private final InstantSource clock;
  private final TableGauge<ClaimTally.Group, ClaimTally.Figures> claims;
  private final TableGauge<ClaimTally.Group, ClaimTally.Figures> oldestClaims;
  private final TableGauge<ClaimTally.WaitGroup, ClaimTally.Figures> waiting;
  private final TableGauge<ClaimTally.WaitGroup, ClaimTally.Figures> waitingOldest;
  private final TableGauge<ClaimTally.StuckGroup, Long> stuck;
  private final List<TableGauge<String, LaneTally.Figures>> lanes;
  private final TableGauge<String, Instant> oldestCalls;

  private volatile Instant lookedAt;
  private volatile Duration took = Duration.ZERO;

  /**
   * Registers the gauges; they are empty before the first look.
   *
   * @param tables tables of the partitions that are owned now
   * @param registry where the gauges are shown
   * @param clock clock of the process
   */
  Survey(
      Function<ProcessorStore, List<State>> tables, MeterRegistry registry, InstantSource clock) {
    this.tables = tables;
    this.clock = clock;
    this.lookedAt = clock.instant();
    this.claims =
        new TableGauge<>(
            registry,
            "berth.claims",
            null,
            "Claims of the partitions that this instance owns",
            Survey::tags,
            ClaimTally.Figures::count);
    this.oldestClaims =
        new TableGauge<>(
            registry,
            "berth.claim.oldest",
            SECONDS,
            "How long the first of these claims has been in its state",
            Survey::tags,
            figures -> age(figures.oldest()));
    this.waiting =
        new TableGauge<>(
            registry,
            "berth.claims.waiting",
            null,
            "Allocs that wait for their volume",
            Survey::tags,
            ClaimTally.Figures::count);
    this.waitingOldest =
        new TableGauge<>(
            registry,
            "berth.claim.waiting.oldest",
            SECONDS,
            "How long the first of these allocs has waited, by its scheduler's clock",
            Survey::tags,
            figures -> age(figures.oldest()));
    this.stuck =
        new TableGauge<>(
            registry,
            "berth.stuck.claims",
            null,
            "Dead letters that are open",
            group ->
                Tags.of(
                    "code", group.code(), "plugin", group.plugin(), "namespace", group.namespace()),
            Long::doubleValue);
    this.lanes =
        List.of(
            lane(registry, "berth.lane.queued.calls", "Calls in line", LaneTally.Figures::queued),
            lane(
                registry,
                "berth.lane.held.calls",
                "Calls that wait for a time or an event",
                LaneTally.Figures::held),
            lane(registry, "berth.lane.open.calls", "Calls out", LaneTally.Figures::open),
            lane(registry, "berth.lanes", "Lanes that have work", LaneTally.Figures::lanes),
            lane(
                registry,
                "berth.lane.utilisation",
                "Share of the lanes with work that have a call out",
                LaneTally.Figures::utilisation),
            lane(
                registry,
                "berth.plugin.paused",
                "1 while an operator has paused it",
                figures -> figures.paused() ? 1 : 0),
            lane(
                registry,
                "berth.breakers.open",
                "Nodes whose calls let others go first, because they failed",
                LaneTally.Figures::yielding));
    this.oldestCalls =
        new TableGauge<>(
            registry,
            "berth.lane.oldest",
            SECONDS,
            "How long ago the oldest call in line was asked for",
            plugin -> Tags.of("plugin", plugin),
            this::age);
    Gauge.builder("berth.survey.age", this, survey -> survey.age(survey.lookedAt))
        .description("How old the counts of claims and lanes are")
        .baseUnit(SECONDS)
        .strongReference(true)
        .register(registry);
    Gauge.builder("berth.survey.took", this, survey -> seconds(survey.took))
        .description("How long it took to count them")
        .baseUnit(SECONDS)
        .strongReference(true)
        .register(registry);
  }

  private static TableGauge<String, LaneTally.Figures> lane(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<LaneTally.Figures> value) {
    return new TableGauge<>(
        registry, name, null, description, plugin -> Tags.of("plugin", plugin), value);
  }

  private static Tags tags(ClaimTally.Group group) {
    return Tags.of(
        "state", group.state(), "plugin", group.plugin(), "namespace", group.namespace());
  }

  private static Tags tags(ClaimTally.WaitGroup group) {
    return Tags.of("plugin", group.plugin(), "namespace", group.namespace());
  }

  /**
   * Looks once.
   *
   * @param goesOn asked all the time; a look that is ended shows nothing
   * @return how long it took
   * @throws RuntimeException when a table could not be read to its end, which may happen while
   *     partitions move; what was shown before stays
   */
  Duration look(BooleanSupplier goesOn) {
    Instant began = clock.instant();
    ClaimTally claimTally = new ClaimTally();
    LaneTally laneTally = new LaneTally();
    for (State state : tables.apply(ProcessorStore.VOLUME_CLAIMS)) {
      claimTally.add(state, began, goesOn);
    }
    for (State state : tables.apply(ProcessorStore.LANES)) {
      laneTally.add(state, goesOn);
    }
    if (goesOn.getAsBoolean()) {
      show(claimTally, laneTally);
    }
    took = Duration.between(began, clock.instant());
    lookedAt = began;
    return took;
  }

  private void show(ClaimTally claimTally, LaneTally laneTally) {
    claims.show(claimTally.claims());
    oldestClaims.show(claimTally.claims());
    waiting.show(claimTally.waiting());
    waitingOldest.show(claimTally.waiting());
    stuck.show(claimTally.stuck());
    lanes.forEach(gauge -> gauge.show(laneTally.plugins()));
    Map<String, Instant> calls = new HashMap<>();
    laneTally
        .plugins()
        .forEach(
            (plugin, figures) -> {
              if (figures.oldest() != null) {
                calls.put(plugin, figures.oldest());
              }
            });
    oldestCalls.show(calls);
  }

  /** Seconds; never less than none, whatever clocks of other machines say. */
  private double age(Instant since) {
    return Math.max(0, seconds(Duration.between(since, clock.instant())));
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }
}
