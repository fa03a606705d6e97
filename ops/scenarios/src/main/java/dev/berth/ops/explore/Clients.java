package dev.berth.ops.explore;

import dev.berth.records.AttachmentMode;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.JobType;
import dev.berth.records.NodeStatus;
import dev.berth.records.ReplyOutcome;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimAsk;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The scheduler of a simulated world and the clients on its nodes: what they do and say. */
final class Clients {
  private final Sim sim;
  private final boolean mountThemselves;
  private final TreeMap<String, Alloc> allocs = new TreeMap<>();

  /** What was said, for repeats; kept only where records are not handed over at once. */
  private final List<ClaimsEvent.Stated> said = new ArrayList<>();

  Clients(Sim sim) {
    this.sim = sim;
    mountThemselves = sim.setup().policies().byDefault().nodeStep() == Policy.NodeStepBy.CLIENT;
  }

  void restore(Scene scene) {
    allocs.clear();
    scene.allocs().forEach(alloc -> allocs.put(alloc.id(), alloc));
  }

  List<Alloc> allocs() {
    return new ArrayList<>(allocs.values());
  }

  @Nullable Alloc alloc(String id) {
    return allocs.get(id);
  }

  boolean promises(String id) {
    Alloc alloc = allocs.get(id);
    return alloc != null && alloc.promises();
  }

  /** Whether clients mount by themselves, and not node workers. */
  boolean mountThemselves() {
    return mountThemselves;
  }

  // ---- what they say

  boolean claim(Step.Claim step) {
    Alloc known = allocs.get(step.alloc());
    if (known != null && (known.over() || known.gone())) {
      return false;
    }
    Alloc before =
        known != null
            ? known
            : new Alloc(
                step.alloc(),
                step.node(),
                step.promise(),
                ClientStatus.PENDING,
                false,
                0,
                List.of());
    List<String> volumes = new ArrayList<>(before.volumes());
    if (!volumes.contains(step.volume())) {
      volumes.add(step.volume());
    }
    Alloc alloc =
        put(
            new Alloc(
                before.id(),
                before.node(),
                before.promises(),
                before.status(),
                before.gone(),
                before.index() + 1,
                volumes));
    ClaimAsk ask =
        new ClaimAsk(
            Sim.SCHEDULER,
            alloc.id() + "-" + alloc.index(),
            alloc.node(),
            null,
            JobType.SERVICE,
            step.mode(),
            step.access(),
            AttachmentMode.FILE_SYSTEM,
            alloc.promises() ? Sim.PROMISE : null,
            sim.streams().now());
    say(alloc, step.volume(), new ClaimsEvent.Asked(ask));
    return true;
  }

  boolean status(String id, ClientStatus status) {
    Alloc alloc = allocs.get(id);
    if (alloc == null || alloc.over() || alloc.gone() || alloc.status() == status) {
      return false;
    }
    Alloc told = put(with(alloc, status, false));
    told.volumes()
        .forEach(
            volume -> say(told, volume, new ClaimsEvent.StatusChanged(status, DesiredStatus.RUN)));
    return true;
  }

  boolean gone(String id) {
    Alloc alloc = allocs.get(id);
    if (alloc == null || alloc.gone()) {
      return false;
    }
    Alloc told = put(with(alloc, alloc.status(), true));
    told.volumes().forEach(volume -> say(told, volume, new ClaimsEvent.Gone(null)));
    return true;
  }

  boolean unmounted(String id, String volume) {
    Alloc alloc = allocs.get(id);
    if (alloc == null || !canUnmount(id, volume)) {
      return false;
    }
    sim.provider().unmount(volume, id);
    Alloc told = put(with(alloc, alloc.status(), alloc.gone()));
    say(told, volume, new ClaimsEvent.Unmounted(generation(volume, id)));
    return true;
  }

  boolean unmountFailed(String id, String volume) {
    Alloc alloc = allocs.get(id);
    if (alloc == null || !canUnmount(id, volume)) {
      return false;
    }
    Alloc told = put(with(alloc, alloc.status(), alloc.gone()));
    say(told, volume, new ClaimsEvent.UnmountFailed(generation(volume, id), "busy"));
    return true;
  }

  /** Whether there is something to unmount, on a node that is heard. */
  boolean canUnmount(String id, String volume) {
    Provider.Mount mount = sim.provider().mountOf(volume, id);
    NodeView node = mount == null ? null : sim.node(mount.node());
    return mountThemselves && node != null && node.ready();
  }

  boolean repeat(int back) {
    if (back >= said.size()) {
      return false;
    }
    sim.streams().decide(said.get(said.size() - 1 - back));
    return true;
  }

  private @Nullable Long generation(String volume, String alloc) {
    Claim claim = sim.claim(volume, alloc);
    return claim == null ? null : claim.generation();
  }

  private Alloc put(Alloc alloc) {
    allocs.put(alloc.id(), alloc);
    return alloc;
  }

  private static Alloc with(Alloc alloc, ClientStatus status, boolean gone) {
    return new Alloc(
        alloc.id(),
        alloc.node(),
        alloc.promises(),
        status,
        gone,
        alloc.index() + 1,
        alloc.volumes());
  }

  private void say(Alloc alloc, String volume, ClaimsEvent.Statement body) {
    ClaimsEvent.Stated stated =
        new ClaimsEvent.Stated(Setup.key(volume), Sim.SCHEDULER, alloc.index(), alloc.id(), body);
    if (!sim.prompt()) {
      said.add(stated);
    }
    sim.streams().decide(stated);
  }

  // ---- what they hear

  /** An alloc that is granted a volume mounts it, unless it has ended meanwhile. */
  void replied(ClaimsEffect.Replied reply) {
    if (reply.outcome() != ReplyOutcome.GRANTED) {
      return;
    }
    Alloc alloc = allocs.get(reply.alloc());
    NodeView node = sim.node(reply.ask().node());
    boolean alive = node != null && node.status() != NodeStatus.GONE && !node.vouchedFor();
    if (mountThemselves && alive && alloc != null && !alloc.over()) {
      sim.provider().mount(reply.key().volume(), reply.ask().node(), alloc.id(), alloc.promises());
    }
  }
}
