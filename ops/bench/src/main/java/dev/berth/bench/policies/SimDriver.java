package dev.berth.bench.policies;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The controllers of every plugin: what is attached where, which calls are open together. A call
 * has its effect when its time has passed, also when nobody waits for its answer any more.
 */
final class SimDriver {
  private final VirtualTime time;
  private final DriverTimes times;
  private final Tally tally;
  private final DetachWatch watch;
  private final Map<String, Set<String>> attached = new HashMap<>();
  private final Map<String, Integer> made = new HashMap<>();
  private final List<Open> open = new ArrayList<>();

  private record Open(String plugin, String volume, String node) {}

  /** How a call ends for who made it. */
  enum Answer {
    /** Done. */
    OK,
    /** Not now. */
    UNAVAILABLE,
    /** The volume is attached elsewhere and cannot be in two places. */
    ELSEWHERE,
    /** No answer in time; it goes on. */
    DEADLINE
  }

  /** A call. */
  record Call(DriverTimes.Rpc rpc, String plugin, String volume, String node, boolean exclusive) {
    static Call attach(Use use) {
      return new Call(
          DriverTimes.Rpc.ATTACH, use.plugin(), use.volume(), use.node(), use.exclusive());
    }

    static Call detach(Use use) {
      return new Call(
          DriverTimes.Rpc.DETACH, use.plugin(), use.volume(), use.node(), use.exclusive());
    }
  }

  /** Who looks when something is detached. */
  interface DetachWatch {
    /** A volume is detached from a node that it was attached to. */
    void detached(String volume, String node);
  }

  SimDriver(VirtualTime time, DriverTimes times, Tally tally, DetachWatch watch) {
    this.time = time;
    this.times = times;
    this.tally = tally;
    this.watch = watch;
  }

  /** Makes a call; the answer comes after the call's time, or after the caller's patience. */
  void call(Call call, long timeoutMillis, Consumer<Answer> answered) {
    tally.called(
        open.stream().anyMatch(it -> same(it, call) && it.node().equals(call.node())),
        open.stream().anyMatch(it -> same(it, call) && it.volume().equals(call.volume())));
    int number = made.merge(call.rpc() + call.volume() + "/" + call.node(), 1, Integer::sum);
    DriverTimes.Drawn drawn = times.draw(call.rpc(), call.volume(), call.node(), number);
    boolean nothing = asItIsToBe(call) || elsewhere(call);
    long takes = nothing ? DriverTimes.NOTHING_TO_DO.toMillis() : drawn.millis();
    Open mine = new Open(call.plugin(), call.volume(), call.node());
    open.add(mine);
    boolean[] over = {false};
    time.in(
        takes,
        () -> {
          open.remove(mine);
          Answer answer = drawn.fails() ? Answer.UNAVAILABLE : apply(call);
          if (!over[0]) {
            over[0] = true;
            answered.accept(answer);
          }
        });
    if (takes > timeoutMillis) {
      time.in(
          timeoutMillis,
          () -> {
            over[0] = true;
            answered.accept(Answer.DEADLINE);
          });
    }
  }

  private static boolean same(Open open, Call call) {
    return open.plugin().equals(call.plugin());
  }

  private Set<String> nodes(String volume) {
    return attached.computeIfAbsent(volume, unused -> new HashSet<>());
  }

  private boolean asItIsToBe(Call call) {
    return nodes(call.volume()).contains(call.node()) == (call.rpc() == DriverTimes.Rpc.ATTACH);
  }

  private boolean elsewhere(Call call) {
    return call.rpc() == DriverTimes.Rpc.ATTACH
        && call.exclusive()
        && nodes(call.volume()).stream().anyMatch(node -> !node.equals(call.node()));
  }

  private Answer apply(Call call) {
    if (elsewhere(call)) {
      return Answer.ELSEWHERE;
    }
    if (call.rpc() == DriverTimes.Rpc.ATTACH) {
      nodes(call.volume()).add(call.node());
    } else if (nodes(call.volume()).remove(call.node())) {
      tally.detached(time.now());
      watch.detached(call.volume(), call.node());
    }
    return Answer.OK;
  }
}
