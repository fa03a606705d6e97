package dev.berth.producers.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places pods on nodes by requested CPU and memory: on the node that then has least left, among
 * those that were used before; on one that was not, only when none of those has room. Least left is
 * the sum of the two remainders, each as a share of the largest node's; between equals the earlier
 * line of the node list wins.
 */
final class BestFit {

  private final List<Room> unused = new ArrayList<>();
  private final List<Room> used = new ArrayList<>();
  private final Map<String, Room> byNode = new HashMap<>();
  private final long mostCpu;
  private final long mostMemory;

  BestFit(List<TraceNode> nodes) {
    for (int line = 0; line < nodes.size(); line++) {
      Room room = new Room(nodes.get(line), line);
      unused.add(room);
      byNode.put(nodes.get(line).id(), room);
    }
    mostCpu = nodes.stream().mapToLong(TraceNode::cpuMilli).max().orElse(1);
    mostMemory = nodes.stream().mapToLong(TraceNode::memoryMib).max().orElse(1);
  }

  /** Takes the room on a node; empty when the pod fits nowhere. */
  Optional<String> place(TracePod pod) {
    Optional<Room> among = tightest(used, pod);
    if (among.isEmpty()) {
      among = tightest(unused, pod);
      among.ifPresent(this::open);
    }
    among.ifPresent(room -> room.take(pod));
    return among.map(room -> room.node.id());
  }

  /** Gives the room back. */
  void free(TracePod pod, String node) {
    Room room = byNode.get(node);
    if (room == null) {
      throw new IllegalArgumentException("there is no node " + node);
    }
    room.give(pod);
  }

  /** Nodes that were used, in the order of the node list. */
  List<String> used() {
    return used.stream().map(room -> room.node.id()).toList();
  }

  private void open(Room room) {
    unused.remove(room);
    int place = 0;
    while (place < used.size() && used.get(place).line < room.line) {
      place++;
    }
    used.add(place, room);
  }

  private Optional<Room> tightest(List<Room> rooms, TracePod pod) {
    Optional<Room> best = Optional.empty();
    double least = Double.MAX_VALUE;
    for (Room room : rooms) {
      if (room.fits(pod) && left(room, pod) < least) {
        best = Optional.of(room);
        least = left(room, pod);
      }
    }
    return best;
  }

  private double left(Room room, TracePod pod) {
    return (double) (room.cpu - pod.cpuMilli()) / mostCpu
        + (double) (room.memory - pod.memoryMib()) / mostMemory;
  }

  /** What a node has left. */
  private static final class Room {
    private final TraceNode node;
    private final int line;
    private long cpu;
    private long memory;

    Room(TraceNode node, int line) {
      this.node = node;
      this.line = line;
      this.cpu = node.cpuMilli();
      this.memory = node.memoryMib();
    }

    boolean fits(TracePod pod) {
      return cpu >= pod.cpuMilli() && memory >= pod.memoryMib();
    }

    void take(TracePod pod) {
      cpu -= pod.cpuMilli();
      memory -= pod.memoryMib();
    }

    void give(TracePod pod) {
      cpu += pod.cpuMilli();
      memory += pod.memoryMib();
    }
  }
}
