package dev.berth.ops.explore;

import dev.berth.streams.lanes.Attempt;
import dev.berth.streams.lanes.Breaker;
import dev.berth.streams.lanes.Budget;
import dev.berth.streams.lanes.CallEnd;
import dev.berth.streams.lanes.DueItem;
import dev.berth.streams.lanes.Lane;
import dev.berth.streams.lanes.LaneCall;
import dev.berth.streams.lanes.LaneTables;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.lanes.Place;
import dev.berth.streams.lanes.PluginLanes;
import dev.berth.streams.lanes.QueueEntry;
import dev.berth.streams.lanes.SlotUse;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tables of the lanes with everything taken out of them that no decision depends on, in the way
 * of {@link CanonicalClaims}. Breakers are taken out altogether: they only say who goes first.
 */
final class CanonicalLanes {
  /** ABORTED begins to count after this. */
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final Rows rows;
  private final Shift shift;
  private final int maxAttempts;
  private final Map<String, String> requests;
  private final Map<String, String> attempts = new HashMap<>();
  private final Map<String, Map<Long, Long>> arrivals = new HashMap<>();
  private final Map<String, Map<Long, Long>> positions = new HashMap<>();

  /**
   * Canonical rows, and how the attempts in them are called now.
   *
   * @param rows the rows
   * @param requests new ids of requests by old ones
   * @param attempts new ids of attempts by old ones
   */
  record Renamed(Rows rows, Map<String, String> requests, Map<String, String> attempts) {}

  private CanonicalLanes(
      Rows rows, Shift shift, int maxAttempts, List<CanonicalClaims.Renamed> named) {
    this.rows = rows;
    this.shift = shift;
    this.maxAttempts = maxAttempts;
    requests = new HashMap<>();
    named.forEach(volume -> requests.putAll(volume.requests()));
    name();
  }

  /**
   * Makes rows canonical.
   *
   * @param named new ids of the requests that volumes know
   */
  static Renamed of(Rows rows, Shift shift, int maxAttempts, List<CanonicalClaims.Renamed> named) {
    CanonicalLanes canonical = new CanonicalLanes(rows, shift, maxAttempts, named);
    return new Renamed(canonical.rows(), canonical.requests, canonical.attempts);
  }

  private void name() {
    List<LaneCall> calls = rows.values(LaneTables.REQUESTS);
    calls.stream()
        .sorted(Comparator.comparing(LaneCall::arrival))
        .forEach(
            call -> {
              number(arrivals, call.plugin(), call.arrival());
              orphan(call);
            });
    calls.stream()
        .filter(call -> position(call) > 0)
        .sorted(Comparator.comparing(CanonicalLanes::position))
        .forEach(call -> number(positions, call.plugin(), position(call)));
    rows.values(LaneTables.ATTEMPTS).stream()
        .sorted(Comparator.comparing(attempt -> number(attempt.work().attemptId())))
        .forEach(
            attempt -> {
              String id = attempt.work().attemptId();
              String begin = id.substring(0, id.lastIndexOf('-') + 1);
              attempts.put(id, begin + digits(attempts.size() + 1));
            });
  }

  private static long position(LaneCall call) {
    if (call.place() instanceof Place.Queued queued) {
      return queued.position();
    }
    return call.place() instanceof Place.Open open ? open.position() : 0;
  }

  private static void number(Map<String, Map<Long, Long>> numbers, String plugin, long number) {
    Map<Long, Long> known = numbers.computeIfAbsent(plugin, any -> new HashMap<>());
    known.putIfAbsent(number, known.size() + 1L);
  }

  private static long number(String attempt) {
    return Long.parseLong(attempt.substring(attempt.lastIndexOf('-') + 1));
  }

  /** A call that its volume has forgotten. */
  private void orphan(LaneCall call) {
    String id = call.requestId();
    String volume = id.substring(0, id.lastIndexOf('#') + 1);
    for (int i = 60; !requests.containsKey(id); i++) {
      if (!requests.containsValue(volume + i)) {
        requests.put(id, volume + i);
      }
    }
  }

  private Rows rows() {
    List<Rows.Row> made = new ArrayList<>();
    for (Rows.Row row : rows.all()) {
      Object value = row.value();
      if (value instanceof LaneCall call) {
        made.add(new Rows.Row(row.table(), request(call.requestId()), call(call)));
      } else if (value instanceof Attempt attempt) {
        Attempt renamed = attempt(attempt);
        made.add(new Rows.Row(row.table(), renamed.work().attemptId(), renamed));
      } else if (value instanceof Lane lane) {
        made.add(new Rows.Row(row.table(), row.key(), lane(lane)));
      } else if (value instanceof PluginLanes plugin) {
        made.add(new Rows.Row(row.table(), row.key(), plugin(plugin)));
      } else if (value instanceof SlotUse slot) {
        String pending = slot.pending();
        SlotUse renamed = new SlotUse(pending == null ? null : request(pending), slot.mayExist());
        made.add(new Rows.Row(row.table(), row.key(), renamed));
      } else if (value instanceof QueueEntry entry) {
        QueueEntry renamed = new QueueEntry(request(entry.requestId()), entry.node());
        made.add(new Rows.Row(row.table(), queueKey(row, entry), renamed));
      } else if (value instanceof DueItem due) {
        made.add(due(row, due));
      } else if (!(value instanceof Breaker)) {
        made.add(row);
      }
    }
    return Rows.of(made);
  }

  private String request(String id) {
    return requests.getOrDefault(id, id);
  }

  private String attempt(String id) {
    return attempts.getOrDefault(id, id);
  }

  private LaneCall call(LaneCall call) {
    return new LaneCall(
        request(call.requestId()),
        call.volumeKey(),
        call.plugin(),
        call.call(),
        call.takesSlot(),
        call.restores(),
        call.scheduler(),
        arrival(call.plugin(), call.arrival()),
        Sim.BEGIN,
        place(call),
        budget(call.budget()),
        call.mayHaveEffect(),
        call.reached());
  }

  private long arrival(String plugin, long arrival) {
    return numbered(arrivals, plugin, arrival);
  }

  private static long numbered(Map<String, Map<Long, Long>> numbers, String plugin, long number) {
    return Objects.requireNonNull(numbers.getOrDefault(plugin, Map.of()).getOrDefault(number, 0L));
  }

  private Place place(LaneCall call) {
    if (call.place() instanceof Place.Queued queued) {
      return new Place.Queued(queued.lane(), numbered(positions, call.plugin(), queued.position()));
    } else if (call.place() instanceof Place.Open open) {
      return new Place.Open(
          open.lane(),
          attempt(open.attemptId()),
          open.tried(),
          open.withdrawn(),
          numbered(positions, call.plugin(), open.position()));
    } else if (call.place() instanceof Place.Held held) {
      Hold hold = held.hold();
      return new Place.Held(
          new Hold(
              CanonicalClaims.code(hold.code()),
              "",
              null,
              1,
              Sim.BEGIN,
              Sim.BEGIN,
              shift.aheadOrNull(hold.nextRetry()),
              hold.stuck()));
    }
    return call.place();
  }

  private Budget budget(Budget budget) {
    Instant busy = budget.abortedSince();
    return new Budget(
        Math.min(budget.attempts(), maxAttempts),
        Math.min(budget.failures(), 1),
        Math.min(budget.unclear(), 3),
        null,
        null,
        busy == null ? null : shift.ago(busy, PATIENCE),
        budget.stuck());
  }

  private Attempt attempt(Attempt attempt) {
    List<Attempt.Acceptance> acceptances =
        attempt.acceptances().stream()
            .map(
                one ->
                    new Attempt.Acceptance(
                        one.id().isEmpty() ? "" : "accepted/" + attempt(attempt.work().attemptId()),
                        "",
                        Sim.BEGIN.minus(Duration.between(one.readAt(), shift.now())),
                        one.allowance(),
                        ends(one.ends())))
            .toList();
    return new Attempt(work(attempt.work(), null), acceptances, attempt.noWorkerShown());
  }

  private static Map<Integer, CallEnd> ends(Map<Integer, CallEnd> ends) {
    Map<Integer, CallEnd> renamed = new HashMap<>();
    ends.forEach((index, end) -> renamed.put(index, end(end)));
    return renamed;
  }

  private static CallEnd end(CallEnd end) {
    return new CallEnd(
        end.fate(), end.notSent(), end.code(), "", end.publishContext(), Sim.BEGIN, Sim.BEGIN);
  }

  private Work work(Work work, @Nullable Long incarnation) {
    return renamed(work, attempts, requests, incarnation == null ? canonical(work) : incarnation);
  }

  private static long canonical(Work work) {
    return work.toController() ? 0 : Math.min(work.nodeIncarnation(), CanonicalCluster.INCARNATION);
  }

  /** Work with the names and the incarnation that it has in a canonical scene. */
  static Work renamed(
      Work work, Map<String, String> attempts, Map<String, String> requests, long incarnation) {
    return new Work(
        attempts.getOrDefault(work.attemptId(), work.attemptId()),
        work.plugin(),
        work.lane(),
        work.route(),
        work.instanceNode(),
        work.endpoint(),
        incarnation,
        work.timeout(),
        Sim.BEGIN,
        work.calls().stream()
            .map(
                call ->
                    new Work.WorkCall(
                        requests.getOrDefault(call.requestId(), call.requestId()), call.call()))
            .toList());
  }

  /** An outcome with the names that it has in a canonical scene. */
  static LanesEvent.OutcomeArrived renamed(
      LanesEvent.OutcomeArrived outcome,
      Map<String, String> attempts,
      Map<String, String> requests) {
    String attempt = attempts.getOrDefault(outcome.attemptId(), outcome.attemptId());
    return new LanesEvent.OutcomeArrived(
        attempt,
        "accepted/" + attempt,
        outcome.plugin(),
        requests.getOrDefault(outcome.requestId(), outcome.requestId()),
        outcome.callIndex(),
        end(outcome.end()));
  }

  private Lane lane(Lane lane) {
    Lane.Turn turn = lane.turn();
    String open = lane.attemptId();
    return new Lane(
        open == null ? null : attempt(open),
        turn == null ? null : new Lane.Turn(turn.kind(), Math.min(turn.used(), 1)));
  }

  private PluginLanes plugin(PluginLanes plugin) {
    PluginLanes.Pause pause = plugin.pause();
    long open =
        attempts.keySet().stream().filter(id -> id.startsWith(plugin.plugin() + "/")).count();
    return new PluginLanes(
        plugin.plugin(),
        Sim.BEGIN,
        plugin.scope(),
        plugin.draining(),
        pause == null ? null : new PluginLanes.Pause("", "", Sim.BEGIN),
        plugin.stickyNode(),
        arrivals.getOrDefault(plugin.plugin(), Map.of()).size(),
        positions.getOrDefault(plugin.plugin(), Map.of()).size(),
        open == 0 ? 0 : attempts.size(),
        plugin.queued(),
        plugin.held(),
        plugin.inFlight(),
        Duration.ZERO,
        Duration.ZERO);
  }

  /** Keys end in a position in the queue, or in the number of an arrival. */
  private String queueKey(Rows.Row row, QueueEntry entry) {
    int slash = row.key().lastIndexOf('/');
    long number = Long.parseLong(row.key().substring(slash + 1));
    LaneCall call = rows.get(LaneTables.REQUESTS, entry.requestId());
    String plugin = call == null ? "" : call.plugin();
    if (row.table().name().equals(LaneTables.QUEUE.name())) {
      return row.key().substring(0, slash + 1) + digits(numbered(positions, plugin, number));
    } else if (row.table().name().equals(LaneTables.AGES.name())) {
      return plugin + "/" + time(Sim.BEGIN) + "/" + digits(arrival(plugin, number));
    }
    return row.key().substring(0, slash + 1) + digits(arrival(plugin, number));
  }

  private Rows.Row due(Rows.Row row, DueItem due) {
    String key = row.key();
    int slash = key.indexOf('/');
    Instant at = shift.ahead(Instant.ofEpochMilli(Long.parseLong(key.substring(0, slash))));
    if (due.kind() == DueItem.Kind.ATTEMPT) {
      String id = attempt(due.id());
      return new Rows.Row(row.table(), time(at) + "/attempt/" + id, new DueItem(due.kind(), id));
    }
    LaneCall call = rows.get(LaneTables.REQUESTS, due.id());
    long arrival = call == null ? 0 : arrival(call.plugin(), call.arrival());
    String id = request(due.id());
    return new Rows.Row(
        row.table(),
        time(at) + "/retry/" + digits(arrival) + "/" + id,
        new DueItem(due.kind(), id));
  }

  /** Sixteen digits, as keys have them; a formatter would take most of the time here. */
  private static String digits(long number) {
    String text = Long.toString(number);
    return "0".repeat(16 - text.length()) + text;
  }

  private static String time(Instant at) {
    return digits(at.toEpochMilli());
  }
}
