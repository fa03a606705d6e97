package dev.berth.bench.policies;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Nomad's server: one controller call per plugin at a time, whoever of those who wait comes first;
 * claims that find no room are tried again by their client; claims of lost nodes wait for the
 * collection every five minutes. See POLICIES-MODELS.md for the sources.
 */
final class NomadModel implements Policy {
  private static final long COLLECTION = 300_000;
  private static final long TIMEOUT = 120_000;
  private static final int TRIES = 3;
  private static final long FIRST_PAUSE = 100;
  private static final long WATCHER = 1_000;
  private static final long LONGEST_BACKOFF = 60_000;

  private final World world;
  private final Map<String, Map<String, Row>> rows = new HashMap<>();
  private final Map<String, Serializer> serializers = new HashMap<>();
  private final Set<String> given = new HashSet<>();

  /** A claim of a volume. */
  private static final class Row {
    private final Use use;
    private boolean past;
    private boolean releasing;

    Row(Use use) {
      this.use = use;
    }
  }

  /** Who waits for the one call of a plugin. */
  private static final class Serializer {
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean busy;
  }

  NomadModel(World world) {
    this.world = world;
    world.time().in(COLLECTION, this::collect);
  }

  @Override
  public void claimed(Use use) {
    claim(use, 2_000);
  }

  private void claim(Use use, long pause) {
    if (given.contains(use.id())) {
      return;
    }
    Map<String, Row> taken = rows(use);
    boolean own = taken.containsKey(use.id());
    if (!own && use.exclusive() && !taken.isEmpty()) {
      again(use, pause);
      return;
    }
    if (!own) {
      taken.put(use.id(), new Row(use));
    }
    serialized(
        SimDriver.Call.attach(use),
        answer -> {
          if (answer == SimDriver.Answer.OK) {
            world.granted(use);
          } else if (answer == SimDriver.Answer.ELSEWHERE) {
            again(use, pause);
          } else {
            // Any other error fails the alloc, whose client then gives the volume back.
            given.add(use.id());
            world.rejected(use);
            release(use);
          }
        });
  }

  private void again(Use use, long pause) {
    world.time().in(pause, () -> claim(use, Math.min(LONGEST_BACKOFF, 2 * pause)));
  }

  @Override
  public void ended(Use use) {
    // A status alone wakes nobody: the client's own unpublish does.
  }

  @Override
  public void unmounted(Use use) {
    release(use);
  }

  @Override
  public void lost(Use use) {
    given.add(use.id());
    Row row = rows(use).get(use.id());
    if (row != null) {
      row.past = true;
    }
  }

  @Override
  public void nodeDown(String node) {
    // Nothing is done about it before the next collection.
  }

  @Override
  public void nodeFenced(String node) {
    // Knows no fences.
  }

  @Override
  public void nodeBack(String node) {
    // Its client gives back what it had.
  }

  private void collect() {
    List<Row> past = new ArrayList<>();
    rows.values()
        .forEach(taken -> taken.values().stream().filter(row -> row.past).forEach(past::add));
    past.forEach(row -> release(row.use));
    if (world.goesOn()) {
      world.time().in(COLLECTION, this::collect);
    }
  }

  private void release(Use use) {
    Row row = rows(use).get(use.id());
    if (row == null || row.releasing) {
      return;
    }
    row.past = true;
    row.releasing = true;
    boolean sibling =
        rows(use).values().stream()
            .anyMatch(other -> other != row && !other.past && other.use.node().equals(use.node()));
    if (sibling) {
      rows(use).remove(use.id());
      return;
    }
    serialized(
        SimDriver.Call.detach(use),
        answer -> {
          row.releasing = false;
          if (answer == SimDriver.Answer.OK) {
            rows(use).remove(use.id());
          } else {
            world.time().in(WATCHER, () -> release(use));
          }
        });
  }

  private Map<String, Row> rows(Use use) {
    return rows.computeIfAbsent(use.volume(), unused -> new LinkedHashMap<>());
  }

  private void serialized(SimDriver.Call call, Consumer<SimDriver.Answer> then) {
    Serializer serializer = serializers.computeIfAbsent(call.plugin(), unused -> new Serializer());
    Runnable turn = () -> attempt(serializer, call, 1, then);
    if (serializer.busy) {
      serializer.waiting.add(turn);
    } else {
      serializer.busy = true;
      turn.run();
    }
  }

  /** The client of the controller's node tries again by itself, and keeps the turn meanwhile. */
  private void attempt(
      Serializer serializer, SimDriver.Call call, int number, Consumer<SimDriver.Answer> then) {
    world.call(
        call,
        TIMEOUT,
        answer -> {
          if (answer == SimDriver.Answer.UNAVAILABLE && number < TRIES) {
            world
                .time()
                .in(FIRST_PAUSE << (number - 1), () -> attempt(serializer, call, number + 1, then));
            return;
          }
          next(serializer);
          then.accept(answer);
        });
  }

  /** All who wait are woken and race; there is no order. */
  private void next(Serializer serializer) {
    if (serializer.waiting.isEmpty()) {
      serializer.busy = false;
      return;
    }
    Runnable turn = serializer.waiting.remove(world.chance().nextInt(serializer.waiting.size()));
    world.time().in(0, turn);
  }
}
