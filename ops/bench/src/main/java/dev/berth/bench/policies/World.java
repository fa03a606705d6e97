package dev.berth.bench.policies;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The truth around a policy: workloads that begin when they are granted their volume, end, are lost
 * with their nodes or go on writing where nobody hears them. The policy knows only what it is told.
 */
final class World {
  /** From lost contact until the scheduler gives a node and its allocs up. */
  static final long UNTIL_DOWN = 30_000;

  /** From lost contact until somebody has made sure that a dead node does not write. */
  static final long UNTIL_FENCED = 300_000;

  /** From the first contact until a node's client has said what it unmounted, and takes work. */
  private static final long UNTIL_CLEAN = 1_000;

  /** How long a client takes to unmount. */
  static final long UNMOUNTING = 500;

  /** How long a workload runs that was granted its volume only after its planned end. */
  private static final long SHORTEST = 1_000;

  private final VirtualTime time = new VirtualTime();
  private final Tally tally = new Tally();
  private final Trial trial;
  private final SimDriver driver;
  private final Random chance;
  private final Policy policy;
  private final Map<String, Life> lives = new LinkedHashMap<>();
  private final Map<String, Outage> out = new HashMap<>();
  private final Map<String, Long> volumeFree = new HashMap<>();
  private int open;

  private static final class Life {
    private final Use use;
    private State state = State.PLANNED;

    Life(Use use) {
      this.use = use;
    }
  }

  private enum State {
    PLANNED,
    WAITING,
    RUNNING,
    ENDED,
    /** Lost with its node, mounted there until the node is back or dead. */
    LOST,
    LOST_BEFORE_GRANT,
    OVER,
    REJECTED
  }

  private World(Trial trial, Policy.Maker maker) {
    this.trial = trial;
    driver = new SimDriver(time, new DriverTimes(trial.seed()), tally, this::detached);
    chance = new Random(trial.seed());
    open = trial.uses().size();
    policy = maker.make(this);
  }

  /** Puts a policy through a trial. */
  static Tally.Result run(Trial trial, Policy.Maker maker) {
    return new World(trial, maker).run();
  }

  private Tally.Result run() {
    for (Use use : trial.uses()) {
      lives.put(use.id(), new Life(use));
      time.at(use.claims(), () -> claim(use));
    }
    trial.outages().forEach(outage -> time.at(outage.from(), () -> begin(outage)));
    time.run(trial.horizon());
    long never =
        lives.values().stream()
            .filter(life -> life.state == State.WAITING || life.state == State.REJECTED)
            .count();
    return tally.result((int) never);
  }

  // ---- what policies use

  VirtualTime time() {
    return time;
  }

  Trial trial() {
    return trial;
  }

  /** Chance that does not depend on what other policies drew. */
  Random chance() {
    return chance;
  }

  /** Whether something may still happen that needs a periodic look. */
  boolean goesOn() {
    return open > 0 && time.now() < trial.horizon();
  }

  void call(SimDriver.Call call, long timeoutMillis, Consumer<SimDriver.Answer> answered) {
    driver.call(call, timeoutMillis, answered);
  }

  /** The policy lets a use begin. */
  void granted(Use use) {
    Life life = life(use);
    if (life.state != State.WAITING) {
      return;
    }
    if (out.containsKey(use.node())) {
      // Nobody is there to begin; the scheduler will give the alloc up.
      return;
    }
    life.state = State.RUNNING;
    long since = Math.max(use.claims(), volumeFree.getOrDefault(use.volume(), 0L));
    tally.granted(Math.max(0, time.now() - since), time.now());
    time.at(Math.max(use.ends(), time.now() + SHORTEST), () -> end(use));
  }

  /** The policy refuses a use for good. */
  void rejected(Use use) {
    Life life = life(use);
    if (life.state == State.WAITING) {
      life.state = State.REJECTED;
      tally.rejected();
      open--;
    }
  }

  // ---- what happens

  private Life life(Use use) {
    Life life = lives.get(use.id());
    if (life == null) {
      throw new IllegalArgumentException("no use " + use.id() + " in this trial");
    }
    return life;
  }

  private void claim(Use planned) {
    // A scheduler places nothing on a node that it does not hear.
    Use use = out.containsKey(planned.node()) ? planned.on(another(planned)) : planned;
    Life life = new Life(use);
    life.state = State.WAITING;
    lives.put(use.id(), life);
    policy.claimed(use);
  }

  /** The next node of the trial that is heard, from the one that was planned. */
  private String another(Use planned) {
    List<String> nodes = trial.nodes();
    int at = nodes.indexOf(planned.node());
    for (int i = 1; i < nodes.size(); i++) {
      String next = nodes.get((at + i) % nodes.size());
      if (!out.containsKey(next)) {
        return next;
      }
    }
    return planned.node();
  }

  private void end(Use use) {
    Life life = life(use);
    if (life.state != State.RUNNING || out.containsKey(use.node())) {
      return;
    }
    life.state = State.ENDED;
    free(use, time.now());
    policy.ended(use);
    time.in(UNMOUNTING, () -> unmount(life));
  }

  private void unmount(Life life) {
    if (life.state == State.ENDED && !out.containsKey(life.use.node())) {
      over(life);
      policy.unmounted(life.use);
    }
  }

  private void free(Use use, long at) {
    if (use.exclusive()) {
      volumeFree.merge(use.volume(), at, Math::max);
    }
  }

  private void over(Life life) {
    life.state = State.OVER;
    open--;
  }

  private void begin(Outage outage) {
    if (out.putIfAbsent(outage.node(), outage) != null) {
      return;
    }
    time.in(UNTIL_DOWN, () -> down(outage));
    if (outage.dead()) {
      time.in(UNTIL_FENCED, () -> policy.nodeFenced(outage.node()));
    }
    time.at(outage.until(), () -> back(outage));
  }

  private void down(Outage outage) {
    policy.nodeDown(outage.node());
    for (Life life : on(outage.node())) {
      if (life.state == State.RUNNING || life.state == State.ENDED) {
        life.state = State.LOST;
        free(life.use, outage.dead() ? outage.from() : outage.until());
        policy.lost(life.use);
      } else if (life.state == State.WAITING) {
        life.state = State.LOST_BEFORE_GRANT;
        open--;
        policy.lost(life.use);
      }
    }
  }

  private void back(Outage outage) {
    policy.nodeBack(outage.node());
    time.in(UNTIL_CLEAN, () -> clean(outage));
  }

  private void clean(Outage outage) {
    out.remove(outage.node());
    for (Life life : on(outage.node())) {
      if (life.state == State.LOST) {
        over(life);
        policy.unmounted(life.use);
      } else if (life.state == State.LOST_BEFORE_GRANT) {
        // It may have been granted to nobody: its client has nothing mounted, and says so.
        life.state = State.OVER;
        policy.unmounted(life.use);
      }
    }
  }

  private List<Life> on(String node) {
    List<Life> found = new ArrayList<>();
    for (Life life : lives.values()) {
      if (life.use.node().equals(node)) {
        found.add(life);
      }
    }
    return found;
  }

  private void detached(String volume, String node) {
    Outage outage = out.get(node);
    if (outage != null && outage.dead()) {
      return;
    }
    Set<State> mounted = new HashSet<>(List.of(State.RUNNING, State.ENDED, State.LOST));
    for (Life life : on(node)) {
      if (life.use.volume().equals(volume) && mounted.contains(life.state)) {
        tally.premature();
      }
    }
  }
}
