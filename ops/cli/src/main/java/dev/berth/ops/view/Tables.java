package dev.berth.ops.view;

import dev.berth.proto.api.Attachment;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.Node;
import dev.berth.proto.api.NodeSlots;
import dev.berth.proto.api.Pause;
import dev.berth.proto.api.Plugin;
import dev.berth.proto.api.PluginLanes;
import dev.berth.proto.api.Stuck;
import dev.berth.proto.api.Volume;
import dev.berth.proto.api.VolumeRef;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns of every list. */
public final class Tables {

  /** Volumes. */
  public static final Columns<Volume> VOLUMES =
      Columns.<Volume>of("volumes")
          .column("VOLUME", v -> name(v.getRef()))
          .column("PLUGIN", Volume::getPlugin)
          .column("STATE", Phrases::state)
          .column("IN USE AS", Phrases::use)
          .column("READERS", v -> count(v.getReaders()))
          .column("WRITERS", v -> count(v.getWriters()))
          .column("WAITING", v -> count(v.getWaiting()))
          .column("STUCK", v -> count(v.getStuck()))
          .wide("EXTERNAL ID", Volume::getExternalId)
          .wide("CAPABILITIES", Phrases::capabilities)
          .wide("REGISTERED", (v, at) -> v.hasRegisteredAt() ? at.ago(v.getRegisteredAt()) : "")
          .wide("BY", Volume::getRegisteredBy)
          .wide("UNSCHEDULABLE", Volume::getUnschedulable);

  /** Claims. */
  public static final Columns<Claim> CLAIMS =
      Columns.<Claim>of("claims")
          .column("VOLUME", c -> name(c.getRef()))
          .column("ALLOC", Claim::getAlloc)
          .column("NODE", Claim::getNode)
          .column("MODE", c -> MessageJson.word(c.getMode().getValueDescriptor()))
          .column("STATE", Phrases::state)
          .column("FOR", (c, at) -> at.age(c.getStateSince()))
          .column("NEXT", Claim::getNextStep)
          .column("HELD UP BY", Phrases::trouble)
          .wide("RETRY", (c, at) -> c.getHold().hasNextAttemptAt() ? at.in(next(c)) : "")
          .wide("PLUGIN", Claim::getPlugin)
          .wide("SCHEDULER", Claim::getScheduler)
          .wide("JOB", Claim::getJob)
          .wide("CLIENT", Claim::getClientStatus)
          .wide("CLAIMED", (c, at) -> at.ago(c.getClaimedAt()))
          .wide("ENDED", Claim::getEndCause)
          .wide("GENERATION", c -> count(c.getGeneration()))
          .wide("SAID", c -> c.getHold().getDetail());

  /** Claims that need an operator. */
  public static final Columns<Stuck> STUCK =
      Columns.<Stuck>of("stuck claims")
          .column("VOLUME", s -> name(s.getClaim().getRef()))
          .column("ALLOC", s -> s.getClaim().getAlloc())
          .column("NODE", s -> s.getClaim().getNode())
          .column("STEP", Stuck::getStep)
          .column("CODE", Stuck::getCode)
          .column("TRIES", s -> count(s.getAttempts()))
          .column("FOR", (s, at) -> at.age(s.getFirstFailureAt()))
          .column("RETRY", (s, at) -> s.hasNextAttemptAt() ? at.in(s.getNextAttemptAt()) : "")
          .wide("PLUGIN", s -> s.getClaim().getPlugin())
          .wide("RPC CODE", Stuck::getRpcCode)
          .wide("LAST FAILURE", (s, at) -> at.ago(s.getLastFailureAt()))
          .wide("SAID", Stuck::getLastMessage);

  /** Attachments. */
  public static final Columns<Attachment> ATTACHMENTS =
      Columns.<Attachment>of("attachments")
          .column("VOLUME", a -> name(a.getRef()))
          .column("NODE", Attachment::getNode)
          .column("PLUGIN", Attachment::getPlugin)
          .column("STATE", a -> MessageJson.word(a.getState().getValueDescriptor()))
          .column("FOR", (a, at) -> at.age(a.getStateSince()))
          .column("CLAIMS", a -> count(a.getClaims()))
          .column("CALL", Attachment::getRpc)
          .wide("READ-ONLY", a -> yes(a.getReadonly()))
          .wide("STAGING", Attachment::getStaging)
          .wide("SLOT", a -> yes(a.getSlotHeld()))
          .wide("EXTERNAL ID", Attachment::getExternalId)
          .wide("EXTERNAL NODE", Attachment::getExternalNodeId)
          .wide("GENERATION", a -> count(a.getGeneration()))
          .wide("REQUEST", Attachment::getRequest);

  /** The lanes of plugins. */
  public static final Columns<PluginLanes> LANES =
      Columns.<PluginLanes>of("plugins with lanes")
          .column("PLUGIN", PluginLanes::getPlugin)
          .column("STATE", p -> p.hasPause() ? "paused" : "running")
          .column("LANES BY", PluginLanes::getScope)
          .column("OUT", p -> count(p.getOpen()))
          .column("IN LINE", p -> count(p.getQueued()))
          .column("HELD", p -> count(p.getHeld()))
          .column("OLDEST", (p, at) -> p.hasOldestQueuedAt() ? at.age(p.getOldestQueuedAt()) : "")
          .column("DONE IN", p -> p.hasEstimatedDrain() ? about(p.getEstimatedDrain()) : "")
          .wide("ATTACH TIME", p -> p.hasAttachTime() ? exact(p.getAttachTime()) : "")
          .wide("DETACH TIME", p -> p.hasDetachTime() ? exact(p.getDetachTime()) : "")
          .wide("CONTROLLER ON", PluginLanes::getControllerNode)
          .wide("FAILING NODES", p -> count(p.getBreakersCount()));

  /** Nodes. */
  public static final Columns<Node> NODES =
      Columns.<Node>of("nodes")
          .column("NODE", Node::getNode)
          .column("SCHEDULER", Node::getScheduler)
          .column("STATUS", n -> MessageJson.word(n.getStatus().getValueDescriptor()))
          .column("ELIGIBLE", n -> yes(n.getEligible()))
          .column("LIFE", n -> count(n.getIncarnation()))
          .column("NO CONTACT", (n, at) -> n.hasLostContactAt() ? at.age(n.getLostContactAt()) : "")
          .column("FENCED", (n, at) -> n.hasFence() ? at.ago(n.getFence().getAt()) : "")
          .wide("BY", n -> n.getFence().getAuthor())
          .wide("REASON", n -> n.getFence().getReason());

  /** Attach slots. */
  public static final Columns<NodeSlots> SLOTS =
      Columns.<NodeSlots>of("attach slots")
          .column("NODE", NodeSlots::getNode)
          .column("PLUGIN", NodeSlots::getPlugin)
          .column("IN USE", s -> Long.toString(s.getInUse()))
          .column("MOST", s -> s.getMaxVolumes() == 0 ? "no limit" : count(s.getMaxVolumes()))
          .column(
              "FREE",
              s ->
                  s.getMaxVolumes() == 0
                      ? ""
                      : Long.toString(Math.max(0, s.getMaxVolumes() - s.getInUse())));

  private Tables() {}

  /**
   * Plugins.
   *
   * @param pauses of those whose calls stand still, by plugin
   */
  public static Columns<Plugin> plugins(Map<String, Pause> pauses) {
    return Columns.<Plugin>of("plugins")
        .column("PLUGIN", Plugin::getPlugin)
        .column("STATE", p -> pauses.containsKey(p.getPlugin()) ? "paused" : "running")
        .column("CONTROLLERS", p -> healthy(p.getHealthyControllers(), p.getControllers()))
        .column("NODES", p -> healthy(p.getHealthyNodes(), p.getNodes()))
        .column("ATTACHES", p -> yes(p.getCanAttach()))
        .column("STAGES", p -> yes(p.getStages()))
        .column("GONE SINCE", (p, at) -> p.hasEmptySince() ? at.ago(p.getEmptySince()) : "")
        .wide("PAUSED", (p, at) -> paused(pauses.get(p.getPlugin()), at))
        .wide("CONTROLLER REQUIRED", p -> yes(p.getControllerRequired()))
        .wide("READ-ONLY", p -> yes(p.getPublishesReadonly()))
        .wide("LISTS NODES", p -> yes(p.getListsPublishedNodes()));
  }

  private static String paused(@Nullable Pause pause, Moments at) {
    return pause == null
        ? ""
        : "%s by %s: %s".formatted(at.ago(pause.getAt()), pause.getAuthor(), pause.getReason());
  }

  /** {@code namespace/volume}. */
  public static String name(VolumeRef ref) {
    return ref.getNamespace() + "/" + ref.getVolume();
  }

  private static com.google.protobuf.Timestamp next(Claim claim) {
    return claim.getHold().getNextAttemptAt();
  }

  /** Zeros are left out, so that what matters stands out. */
  private static String count(long count) {
    return count == 0 ? "" : Long.toString(count);
  }

  private static String healthy(int healthy, int all) {
    return all == 0 ? "" : "%d of %d well".formatted(healthy, all);
  }

  private static String yes(boolean it) {
    return it ? "yes" : "";
  }

  private static String about(com.google.protobuf.Duration duration) {
    return "about " + Moments.length(Moments.duration(duration));
  }

  private static String exact(com.google.protobuf.Duration duration) {
    return dev.berth.ops.terminal.DurationText.exact(Moments.duration(duration));
  }
}
