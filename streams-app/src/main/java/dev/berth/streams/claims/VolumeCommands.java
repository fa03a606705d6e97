package dev.berth.streams.claims;

import dev.berth.records.CsiCall;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeStep;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.Refusal;
import dev.berth.streams.work.LaneRequest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Commands about one volume. Each is answered with what it did or why it was refused. */
final class VolumeCommands {
  private VolumeCommands() {}

  static void handle(VolumeDraft v, Command command) {
    Volume.Origin from = Volume.Origin.of(command);
    v.claims().forEach(claim -> Leaving.endIfKnownOver(v, claim));
    Command.Body body = command.body();
    if (body instanceof Command.RegisterVolume register) {
      Registration.register(v, from, register.spec());
    } else if (body instanceof Command.DeregisterVolume deregister) {
      Registration.deregister(v, from, deregister.force());
    } else if (body instanceof Command.DetachVolume detach) {
      detach(v, from, detach.node());
    } else if (body instanceof Command.RetryVolume retry) {
      retry(v, from, retry.alloc());
    } else if (body instanceof Command.AssumeDetached assume) {
      assumeDetached(v, from, assume.node());
    } else if (body instanceof Command.UnblockVolume) {
      unblock(v, from);
    } else {
      v.answer(from, body.name(), Refusal.INVALID, "this is no command about a volume");
    }
  }

  /**
   * A detach never takes a disk from a live alloc; claims on their way out are on their way
   * already.
   */
  private static void detach(VolumeDraft v, Volume.Origin from, String node) {
    List<Claim> rows = v.countingOn(node);
    Claim live = rows.stream().filter(c -> c.ending() == null).findFirst().orElse(null);
    if (rows.isEmpty() && ForeignAttachments.detach(v, node)) {
      v.answer(
          from,
          "DetachVolume",
          null,
          "the detach of an attachment to node " + node + " that no claim asked for is under way");
    } else if (rows.isEmpty()) {
      v.answer(
          from,
          "DetachVolume",
          Refusal.NOT_FOUND,
          "no claim of " + v.key() + " is on node " + node);
    } else if (live != null) {
      v.answer(
          from,
          "DetachVolume",
          Refusal.IN_USE,
          "alloc " + live.alloc() + " is live there: stop it first");
    } else {
      v.answer(from, "DetachVolume", null, "the detach from node " + node + " is under way");
    }
  }

  private static void retry(VolumeDraft v, Volume.Origin from, @Nullable String alloc) {
    List<Claim> held =
        v.claims().stream()
            .filter(
                c -> c.counts() && c.hold() != null && (alloc == null || alloc.equals(c.alloc())))
            .toList();
    List<String> requests =
        held.stream().map(c -> requestOf(v, c)).filter(Objects::nonNull).distinct().toList();
    int foreign = alloc == null ? ForeignAttachments.retry(v) : 0;
    if (requests.isEmpty() && foreign == 0 && unknown(v, from, "RetryVolume")) {
      return;
    } else if (requests.isEmpty() && foreign == 0) {
      v.answer(
          from, "RetryVolume", Refusal.NO_CHANGE, "no call of " + v.key() + " waits for a retry");
      return;
    }
    if (!requests.isEmpty()) {
      String plugin = held.get(0).taken().plugin();
      requests.forEach(request -> v.request(request, plugin, new LaneRequest.Wake(true)));
    }
    held.stream()
        .filter(claim -> requestOf(v, claim) != null)
        .forEach(claim -> Holding.newBudget(v, claim));
    v.answer(
        from,
        "RetryVolume",
        null,
        Counted.are(requests.size() + foreign, "call") + " tried again with a new budget");
  }

  /** Says of a volume that there is nothing of, so that a wrong name is not taken for no change. */
  private static boolean unknown(VolumeDraft v, Volume.Origin from, String command) {
    boolean unknown = v.volume() == null && v.claims().isEmpty();
    if (unknown) {
      v.answer(
          from,
          command,
          Refusal.NOT_FOUND,
          "volume " + v.key() + " is not registered: check its namespace and id");
    }
    return unknown;
  }

  static @Nullable String requestOf(VolumeDraft v, Claim claim) {
    Attachment attachment = v.attachment(claim.node());
    return claim.request() != null || attachment == null ? claim.request() : attachment.request();
  }

  static @Nullable CsiCall callOf(VolumeDraft v, Claim claim) {
    Attachment attachment = v.attachment(claim.node());
    return claim.request() != null || attachment == null
        ? claim.requestCall()
        : attachment.requestCall();
  }

  private static void assumeDetached(VolumeDraft v, Volume.Origin from, String node) {
    List<Claim> rows = v.countingOn(node);
    Attachment attachment = v.attachment(node);
    if (rows.isEmpty() && attachment == null) {
      v.answer(
          from,
          "AssumeDetached",
          Refusal.NOT_FOUND,
          "nothing of " + v.key() + " is on node " + node);
      return;
    }
    Claim live = rows.stream().filter(c -> c.ending() == null).findFirst().orElse(null);
    if (live != null) {
      v.answer(
          from,
          "AssumeDetached",
          Refusal.IN_USE,
          "alloc " + live.alloc() + " is live there: stop it, or fence the node");
      return;
    }
    if (attaching(rows, attachment)) {
      // Nobody can vouch for what a call on its way will do.
      v.answer(
          from,
          "AssumeDetached",
          Refusal.IN_USE,
          "an attach to node " + node + " is being taken back: try again when that has ended");
      return;
    }
    if (attachment != null) {
      giveUp(v, attachment);
    }
    for (Claim row : rows) {
      Releasing.free(
          v,
          Releasing.withdraw(v, row),
          from.by() + " vouches that it is detached: " + from.reason());
    }
    v.answer(
        from,
        "AssumeDetached",
        null,
        "on node %s %s freed".formatted(node, Counted.are(rows.size(), "claim")));
  }

  private static boolean attaching(List<Claim> rows, @Nullable Attachment attachment) {
    return (attachment != null && Calls.wayIn(attachment.requestCall()))
        || rows.stream().anyMatch(row -> Calls.wayIn(row.requestCall()));
  }

  private static void giveUp(VolumeDraft v, Attachment attachment) {
    String request = attachment.request();
    if (request != null) {
      v.request(request, attachment.plugin(), new LaneRequest.Withdraw());
    }
    Detaching.drop(v, attachment);
  }

  private static void unblock(VolumeDraft v, Volume.Origin from) {
    // A live claim on a node that is down ends by the operator's word.
    List<Claim> live =
        v.claims().stream()
            .filter(c -> c.ending() == null && NodeSteps.waitsForLostNode(c))
            .filter(c -> NodeLoss.down(v.node(c)))
            .toList();
    live.forEach(c -> Leaving.unblocked(v, c));
    List<Claim> blocked = v.claims().stream().filter(c -> waitsForLostNode(v, c)).toList();
    // Those that were never told to mount have ended, and nothing of them counts as unmounted.
    long ended =
        live.stream()
            .filter(c -> blocked.stream().noneMatch(b -> b.alloc().equals(c.alloc())))
            .count();
    if (blocked.isEmpty() && ended == 0 && unknown(v, from, "UnblockVolume")) {
      return;
    } else if (blocked.isEmpty() && ended == 0) {
      v.answer(
          from,
          "UnblockVolume",
          Refusal.NO_CHANGE,
          "no claim of " + v.key() + " waits for a lost node");
      return;
    }
    blocked.forEach(c -> v.put(countAsUnmounted(v, c)));
    blocked.forEach(c -> Detaching.stagingIsLost(v, c.node()));
    String told =
        ended == 0
            ? ""
            : ", and %s ended that had never been told to mount"
                .formatted(Counted.are(ended, "claim"));
    v.answer(
        from,
        "UnblockVolume",
        null,
        "on lost nodes %s taken as unmounted%s"
            .formatted(Counted.are(blocked.size(), "claim"), told));
  }

  private static Claim countAsUnmounted(VolumeDraft v, Claim claim) {
    // A node call is given up, for the node is lost; an attach of its own has to come back first.
    boolean attaching = claim.requestCall() == CsiCall.CONTROLLER_PUBLISH;
    ClaimEdit edit = Releasing.withdraw(v, claim).edit().nodeStep(NodeStep.OPERATOR);
    return attaching ? edit.done() : edit.settled().done();
  }

  /** A node that is only disconnected may be carrying it out: nobody can vouch for what comes. */
  private static boolean mounting(Claim claim, @Nullable Attachment attachment) {
    return claim.requestCall() == CsiCall.NODE_PUBLISH
        || (attachment != null && attachment.requesting(CsiCall.NODE_STAGE));
  }

  /** Whether a claim on its way out waits for an unmount, or an unstaging, on a lost node. */
  private static boolean waitsForLostNode(VolumeDraft v, Claim claim) {
    NodeView node = v.node(claim);
    boolean lost =
        node != null
            && (node.status() == NodeStatus.DOWN || node.status() == NodeStatus.DISCONNECTED);
    Attachment attachment = v.attachment(claim.node());
    boolean staged = attachment != null && attachment.mayBeStaged();
    return lost
        && claim.ending() != null
        && (staged || !NodeSteps.done(claim.nodeStep()))
        && (NodeLoss.down(node) || !mounting(claim, attachment));
  }
}
