package dev.berth.bench.policies;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Kubernetes: the attach/detach controller, which makes and deletes one VolumeAttachment per volume
 * and node, and external-attacher, ten workers for each driver, one call per VolumeAttachment at a
 * time. See POLICIES-MODELS.md for the sources.
 */
final class KubernetesModel implements Policy {
  private static final int WORKERS = 10;
  private static final long TIMEOUT = 15_000;
  private static final long LOOP = 100;
  private static final long FORCE_DETACH = 360_000;
  private static final long FIRST_BACKOFF = 1_000;
  private static final long LONGEST_BACKOFF = 300_000;

  private final World world;
  private final Map<String, Volume> volumes = new HashMap<>();
  private final Map<String, Attacher> attachers = new HashMap<>();
  private final Set<String> notReady = new HashSet<>();
  private final Set<String> outOfService = new HashSet<>();

  /** What is wanted of a volume and what there is of it. */
  private static final class Volume {
    private final Map<String, Use> wanted = new LinkedHashMap<>();
    private final Map<String, Use> mounted = new LinkedHashMap<>();
    private final Map<String, Attachment> attachments = new LinkedHashMap<>();
    private boolean lookPlanned;
  }

  /** A VolumeAttachment. */
  private static final class Attachment {
    private final Use first;
    private boolean attached;
    private boolean deleted;
    private boolean waitsForUnmount;
    private long failures;

    Attachment(Use first) {
      this.first = first;
    }
  }

  /** The queue of a driver: keys are in it once, and a key is worked on by one worker at a time. */
  private static final class Attacher {
    private final Deque<Attachment> queue = new ArrayDeque<>();
    private final Set<Attachment> working = new LinkedHashSet<>();
    private final Set<Attachment> dirty = new HashSet<>();
  }

  KubernetesModel(World world) {
    this.world = world;
  }

  // ---- what the controller sees

  @Override
  public void claimed(Use use) {
    volume(use).wanted.put(use.id(), use);
    look(use);
  }

  @Override
  public void ended(Use use) {
    volume(use).wanted.remove(use.id());
    look(use);
  }

  @Override
  public void unmounted(Use use) {
    volume(use).mounted.remove(use.id());
    look(use);
  }

  @Override
  public void lost(Use use) {
    volume(use).wanted.remove(use.id());
    look(use);
  }

  @Override
  public void nodeDown(String node) {
    notReady.add(node);
  }

  @Override
  public void nodeFenced(String node) {
    // The out-of-service taint: its pods are deleted, and nothing of it counts as mounted.
    outOfService.add(node);
    volumes.values().forEach(volume -> lookAtAll(volume, node));
  }

  private void lookAtAll(Volume volume, String node) {
    Attachment attachment = volume.attachments.get(node);
    if (attachment != null) {
      look(attachment.first);
    }
  }

  @Override
  public void nodeBack(String node) {
    notReady.remove(node);
    outOfService.remove(node);
  }

  private Volume volume(Use use) {
    return volumes.computeIfAbsent(use.volume(), unused -> new Volume());
  }

  /** The controller's loop comes by within 100 ms. */
  private void look(Use any) {
    Volume volume = volume(any);
    if (!volume.lookPlanned) {
      volume.lookPlanned = true;
      world
          .time()
          .in(
              LOOP - world.time().now() % LOOP,
              () -> {
                volume.lookPlanned = false;
                detachWhatIsNotWanted(volume);
                attachWhatIsWanted(volume);
              });
    }
  }

  private void detachWhatIsNotWanted(Volume volume) {
    for (Map.Entry<String, Attachment> entry : volume.attachments.entrySet()) {
      String node = entry.getKey();
      Attachment attachment = entry.getValue();
      boolean wanted = volume.wanted.values().stream().anyMatch(use -> use.node().equals(node));
      if (wanted || attachment.deleted) {
        continue;
      }
      boolean mounted = volume.mounted.values().stream().anyMatch(use -> use.node().equals(node));
      if (!mounted || outOfService.contains(node)) {
        delete(attachment);
      } else if (!attachment.waitsForUnmount) {
        attachment.waitsForUnmount = true;
        world.time().in(FORCE_DETACH, () -> force(volume, node, attachment));
      }
    }
  }

  /** Only where the node is not ready; a ready one is waited for. */
  private void force(Volume volume, String node, Attachment attachment) {
    attachment.waitsForUnmount = false;
    boolean wanted = volume.wanted.values().stream().anyMatch(use -> use.node().equals(node));
    if (attachment.deleted || wanted) {
      return;
    }
    if (notReady.contains(node)) {
      delete(attachment);
    } else {
      look(attachment.first);
    }
  }

  /** What was mounted there counts no more, whether or not it was unmounted. */
  private void delete(Attachment attachment) {
    attachment.deleted = true;
    volume(attachment.first)
        .mounted
        .values()
        .removeIf(use -> use.node().equals(attachment.first.node()));
    add(attachment);
  }

  private void attachWhatIsWanted(Volume volume) {
    for (Use use : new ArrayList<>(volume.wanted.values())) {
      Attachment here = volume.attachments.get(use.node());
      if (volume.mounted.containsKey(use.id()) || (use.exclusive() && occupied(volume, use))) {
        continue;
      }
      if (here == null) {
        Attachment attachment = new Attachment(use);
        volume.attachments.put(use.node(), attachment);
        add(attachment);
      } else if (here.attached && !here.deleted) {
        mount(volume, use);
      }
    }
  }

  /**
   * Attached to another node, or another pod's on this one (read-write-once-pod). Who is on the
   * node that has the volume therefore comes first, whoever asked first.
   */
  private static boolean occupied(Volume volume, Use use) {
    return volume.attachments.keySet().stream().anyMatch(node -> !node.equals(use.node()))
        || volume.mounted.values().stream().anyMatch(other -> other.node().equals(use.node()));
  }

  private void mount(Volume volume, Use use) {
    volume.mounted.put(use.id(), use);
    world.granted(use);
  }

  // ---- external-attacher

  private void add(Attachment attachment) {
    Attacher attacher =
        attachers.computeIfAbsent(attachment.first.plugin(), unused -> new Attacher());
    if (attacher.working.contains(attachment)) {
      attacher.dirty.add(attachment);
    } else if (!attacher.queue.contains(attachment)) {
      attacher.queue.add(attachment);
      work(attacher);
    }
  }

  private void work(Attacher attacher) {
    while (attacher.working.size() < WORKERS && !attacher.queue.isEmpty()) {
      Attachment next = attacher.queue.remove();
      if (next.attached && !next.deleted) {
        continue;
      }
      attacher.working.add(next);
      boolean detaching = next.deleted;
      SimDriver.Call call =
          detaching ? SimDriver.Call.detach(next.first) : SimDriver.Call.attach(next.first);
      world.call(call, TIMEOUT, answer -> done(attacher, next, detaching, answer));
    }
  }

  private void done(
      Attacher attacher, Attachment attachment, boolean detaching, SimDriver.Answer answer) {
    attacher.working.remove(attachment);
    boolean again = attacher.dirty.remove(attachment);
    if (answer == SimDriver.Answer.OK) {
      attachment.failures = 0;
      if (detaching) {
        volume(attachment.first).attachments.remove(attachment.first.node());
        again = false;
      } else {
        attachment.attached = true;
      }
      look(attachment.first);
      if (again) {
        add(attachment);
      }
    } else {
      long pause = Math.min(LONGEST_BACKOFF, FIRST_BACKOFF << Math.min(attachment.failures, 10));
      attachment.failures++;
      world.time().in(pause, () -> add(attachment));
    }
    work(attacher);
  }
}
