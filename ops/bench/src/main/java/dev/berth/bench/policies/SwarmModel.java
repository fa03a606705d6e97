package dev.berth.bench.policies;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * SwarmKit's volume manager: one goroutine for all volumes of all plugins; what fails is tried
 * again after 100 ms, doubling to ten minutes; a volume on a node that does not answer stays there.
 * See POLICIES-MODELS.md for the sources.
 */
final class SwarmModel implements Policy {
  private static final long TIMEOUT = 15_000;
  private static final long FIRST_BACKOFF = 100;
  private static final long LONGEST_BACKOFF = 600_000;

  private final World world;
  private final Map<String, Volume> volumes = new HashMap<>();
  private final Deque<Volume> queue = new ArrayDeque<>();
  private boolean busy;

  /** A volume, and where it is or is to be. */
  private static final class Volume {
    private final Map<String, Use> waiting = new LinkedHashMap<>();
    private final Map<String, Use> placed = new LinkedHashMap<>();
    private final Map<String, Status> statuses = new LinkedHashMap<>();
    private int attempts;
    private boolean queued;
  }

  /** Publish status of a volume on a node. */
  private static final class Status {
    private final Use first;
    private Step step = Step.PENDING_PUBLISH;

    Status(Use first) {
      this.first = first;
    }
  }

  private enum Step {
    PENDING_PUBLISH,
    PUBLISHED,
    PENDING_UNPUBLISH
  }

  SwarmModel(World world) {
    this.world = world;
  }

  @Override
  public void claimed(Use use) {
    volume(use).waiting.put(use.id(), use);
    place(volume(use));
  }

  @Override
  public void ended(Use use) {
    // The agent says when it has unmounted.
  }

  @Override
  public void unmounted(Use use) {
    Volume volume = volume(use);
    volume.placed.remove(use.id());
    boolean last =
        volume.placed.values().stream().noneMatch(other -> other.node().equals(use.node()));
    Status status = volume.statuses.get(use.node());
    if (last && status != null) {
      status.step = Step.PENDING_UNPUBLISH;
      enqueue(volume);
    }
  }

  @Override
  public void lost(Use use) {
    volume(use).waiting.remove(use.id());
  }

  @Override
  public void nodeDown(String node) {
    // What is on it waits for its agent.
  }

  @Override
  public void nodeFenced(String node) {
    // Knows no fences.
  }

  @Override
  public void nodeBack(String node) {
    // Its agent then says what it has unmounted, also what never began there.
  }

  private Volume volume(Use use) {
    return volumes.computeIfAbsent(use.volume(), unused -> new Volume());
  }

  /** The scheduler places a task where its volume can be. */
  private void place(Volume volume) {
    for (Use use : new ArrayList<>(volume.waiting.values())) {
      boolean free = !use.exclusive() || volume.statuses.isEmpty();
      if (!free) {
        return;
      }
      Status status = volume.statuses.get(use.node());
      if (status != null && status.step == Step.PENDING_UNPUBLISH) {
        continue;
      }
      volume.waiting.remove(use.id());
      volume.placed.put(use.id(), use);
      if (status == null) {
        volume.statuses.put(use.node(), new Status(use));
        enqueue(volume);
      } else if (status.step == Step.PUBLISHED) {
        world.granted(use);
      }
    }
  }

  private void enqueue(Volume volume) {
    if (!volume.queued) {
      volume.queued = true;
      queue.add(volume);
    }
    next();
  }

  private void next() {
    if (!busy && !queue.isEmpty()) {
      busy = true;
      Volume volume = queue.remove();
      volume.queued = false;
      work(volume, world.time().now() + TIMEOUT);
    }
  }

  /** All that a volume needs, node by node, within one allowance of time. */
  private void work(Volume volume, long until) {
    for (Status status : volume.statuses.values()) {
      if (status.step != Step.PUBLISHED) {
        call(volume, status, until);
        return;
      }
    }
    volume.attempts = 0;
    leave();
  }

  private void call(Volume volume, Status status, long until) {
    boolean publish = status.step == Step.PENDING_PUBLISH;
    SimDriver.Call call =
        publish ? SimDriver.Call.attach(status.first) : SimDriver.Call.detach(status.first);
    world.call(
        call,
        Math.max(1, until - world.time().now()),
        answer -> {
          if (answer != SimDriver.Answer.OK) {
            later(volume);
          } else if (publish) {
            published(volume, status);
            work(volume, until);
          } else {
            volume.statuses.remove(status.first.node());
            place(volume);
            work(volume, until);
          }
        });
  }

  private void published(Volume volume, Status status) {
    if (status.step == Step.PENDING_PUBLISH) {
      status.step = Step.PUBLISHED;
    }
    volume.placed.values().stream()
        .filter(use -> use.node().equals(status.first.node()))
        .toList()
        .forEach(world::granted);
  }

  /** The shift that overflows after hours of failures is not modelled: nothing fails so long. */
  private void later(Volume volume) {
    long pause = Math.min(LONGEST_BACKOFF, FIRST_BACKOFF << Math.min(volume.attempts, 20));
    volume.attempts++;
    world.time().in(pause, () -> enqueue(volume));
    leave();
  }

  private void leave() {
    busy = false;
    next();
  }
}
