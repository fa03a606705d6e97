package dev.berth.streams.claims;

import dev.berth.records.VolumeState;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.cluster.PluginView;
import dev.berth.streams.command.Answer;
import dev.berth.streams.command.Refusal;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.Draft;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.policy.Policy;
import dev.berth.streams.work.LaneRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One volume's decision in the making: its rows, the cluster around it, the time and the policy.
 */
final class VolumeDraft {
  private final VolumeKey key;
  private final Instant now;
  private final Policies policies;
  private final Draft<ClaimsEffect> draft;
  private final NavigableMap<String, Claim> claims = new TreeMap<>();
  private final Map<String, NavigableMap<String, Claim>> claimsByNode = new HashMap<>();

  /** Asked for many times in a decision: what was found, until a row on the node is written. */
  private final Map<String, List<Claim>> countingByNode = new HashMap<>();

  private final NavigableMap<String, Attachment> attachments = new TreeMap<>();
  private @Nullable Volume volume;
  private long writes;

  VolumeDraft(State state, VolumeKey key, Instant now, Policies policies) {
    this.key = key;
    this.now = now;
    this.policies = policies;
    draft = new Draft<>(state);
    volume = draft.get(ClaimTables.VOLUMES, key.toString());
    draft.scan(ClaimTables.CLAIMS, key.prefix()).forEach(row -> index(row.value()));
    draft
        .scan(ClaimTables.ATTACHMENTS, key.prefix())
        .forEach(row -> attachments.put(row.value().node(), row.value()));
  }

  VolumeKey key() {
    return key;
  }

  Instant now() {
    return now;
  }

  /** Number of writes so far: unchanged means that nothing was written in between. */
  long writes() {
    return writes;
  }

  Decision<ClaimsEffect> decision() {
    return draft.decision();
  }

  // ---- the volume

  @Nullable Volume volume() {
    return volume;
  }

  /** The volume as far as claims may be taken on it: registered and not leaving. */
  @Nullable Volume claimable() {
    return volume != null && volume.state() == VolumeState.REGISTERED ? volume : null;
  }

  void put(Volume changed) {
    if (changed.equals(volume)) {
      return;
    }
    volume = changed;
    writes++;
    draft.put(ClaimTables.VOLUMES, key.toString(), changed);
  }

  void removeVolume() {
    volume = null;
    writes++;
    draft.remove(ClaimTables.VOLUMES, key.toString());
    put(VolumeListing.NONE);
  }

  // ---- claims

  @Nullable Claim claim(String alloc) {
    return claims.get(alloc);
  }

  /** Every row, in the order of alloc ids. */
  List<Claim> claims() {
    return new ArrayList<>(claims.values());
  }

  /** Rows that count for capacity on a node. */
  List<Claim> countingOn(String node) {
    NavigableMap<String, Claim> there = claimsByNode.get(node);
    return there == null
        ? List.of()
        : countingByNode.computeIfAbsent(
            node, any -> there.values().stream().filter(Claim::counts).toList());
  }

  Claim put(Claim claim) {
    if (claim.equals(claims.get(claim.alloc()))) {
      return claim;
    }
    writes++;
    index(claim);
    draft.put(ClaimTables.CLAIMS, key.of(claim.alloc()), claim);
    draft.put(ClaimTables.BY_NODE, byNode(claim), new NodeClaim(key, claim.alloc()));
    return claim;
  }

  void remove(Claim claim) {
    writes++;
    claims.remove(claim.alloc());
    countingByNode.remove(claim.node());
    claimsByNode.getOrDefault(claim.node(), new TreeMap<>()).remove(claim.alloc());
    draft.remove(ClaimTables.CLAIMS, key.of(claim.alloc()));
    draft.remove(ClaimTables.BY_NODE, byNode(claim));
  }

  /** Makes sure that the changes of a row's node find it, whoever wrote the row. */
  void indexed(Claim claim) {
    if (draft.get(ClaimTables.BY_NODE, byNode(claim)) == null) {
      draft.put(ClaimTables.BY_NODE, byNode(claim), new NodeClaim(key, claim.alloc()));
    }
  }

  private void index(Claim claim) {
    claims.put(claim.alloc(), claim);
    countingByNode.remove(claim.node());
    claimsByNode.computeIfAbsent(claim.node(), node -> new TreeMap<>()).put(claim.alloc(), claim);
  }

  private String byNode(Claim claim) {
    return claim.node() + "/" + key.of(claim.alloc());
  }

  // ---- attachments

  @Nullable Attachment attachment(String node) {
    return attachments.get(node);
  }

  List<Attachment> attachments() {
    return new ArrayList<>(attachments.values());
  }

  Attachment put(Attachment attachment) {
    if (attachment.equals(attachments.get(attachment.node()))) {
      return attachment;
    }
    writes++;
    attachments.put(attachment.node(), attachment);
    draft.put(ClaimTables.ATTACHMENTS, key.of(attachment.node()), attachment);
    return attachment;
  }

  void remove(Attachment attachment) {
    writes++;
    attachments.remove(attachment.node());
    draft.remove(ClaimTables.ATTACHMENTS, key.of(attachment.node()));
  }

  // ---- what listings say

  VolumeListing listing() {
    VolumeListing listing = draft.get(ClaimTables.LISTINGS, key.toString());
    return listing == null ? VolumeListing.NONE : listing;
  }

  void put(VolumeListing changed) {
    if (changed.equals(listing())) {
      return;
    }
    writes++;
    if (changed.equals(VolumeListing.NONE)) {
      draft.remove(ClaimTables.LISTINGS, key.toString());
    } else {
      draft.put(ClaimTables.LISTINGS, key.toString(), changed);
    }
  }

  // ---- what is remembered

  @Nullable AllocMemory memory(String alloc, String scheduler) {
    return draft.get(ClaimTables.ALLOC_MEMORY, memoryKey(alloc, scheduler));
  }

  /** Every alloc that is remembered: a scan, for what is rare. */
  List<AllocMemory> memories() {
    return draft.scan(ClaimTables.ALLOC_MEMORY, key.prefix()).stream()
        .map(State.Entry::value)
        .toList();
  }

  void remember(AllocMemory memory) {
    draft.put(ClaimTables.ALLOC_MEMORY, memoryKey(memory.alloc(), memory.scheduler()), memory);
  }

  void forget(String alloc, String scheduler) {
    draft.remove(ClaimTables.ALLOC_MEMORY, memoryKey(alloc, scheduler));
  }

  /** What one scheduler says of an id must not overwrite what is known of another's alloc. */
  private String memoryKey(String alloc, String scheduler) {
    return key.of(alloc) + "/" + scheduler;
  }

  long nextGeneration() {
    Counters counters = counters();
    draft.put(
        ClaimTables.COUNTERS,
        key.toString(),
        new Counters(counters.nextGeneration() + 1, counters.nextRequest()));
    return counters.nextGeneration();
  }

  private Counters counters() {
    Counters counters = draft.get(ClaimTables.COUNTERS, key.toString());
    return counters == null ? Counters.START : counters;
  }

  @Nullable Wake wake() {
    return draft.get(ClaimTables.WAKES, key.toString());
  }

  void wakeAt(@Nullable Instant at) {
    Wake before = wake();
    if (before != null && !before.at().equals(at)) {
      draft.remove(ClaimTables.DUE, ClaimTables.dueKey(before.at(), key.toString()));
    }
    if (at == null) {
      draft.remove(ClaimTables.WAKES, key.toString());
    } else {
      Wake wake = new Wake(key.toString(), at);
      draft.put(ClaimTables.WAKES, key.toString(), wake);
      draft.put(ClaimTables.DUE, ClaimTables.dueKey(at, key.toString()), wake);
    }
  }

  // ---- the cluster and the policy

  @Nullable NodeView node(String node) {
    return ClusterTables.node(draft, node);
  }

  /** What is known of a claim's node, as far as it counts for the claim. */
  @Nullable NodeView node(Claim claim) {
    return node(claim.node(), claim.ask().scheduler());
  }

  /** What is known of a node, as far as it counts for the claims of a scheduler. */
  @Nullable NodeView node(String node, String scheduler) {
    return ClusterTables.node(draft, node, scheduler);
  }

  /** Whether nobody whose word counts for a claim says that its node is not there. */
  boolean there(Claim claim) {
    NodeView node = node(claim);
    return node == null || node.ready();
  }

  @Nullable PluginView plugin(String plugin) {
    return ClusterTables.plugin(draft, plugin);
  }

  List<InstanceView> controllers(String plugin) {
    return ClusterTables.controllers(draft, plugin);
  }

  List<InstanceView> liveControllers(String plugin) {
    return ClusterTables.liveControllers(draft, plugin);
  }

  /** Whether live controllers say that the plugin has no attach step. */
  boolean cannotAttach(String plugin) {
    return ClusterTables.cannotAttach(draft, plugin);
  }

  @Nullable InstanceView nodeInstance(String plugin, String node) {
    return ClusterTables.nodeInstance(draft, plugin, node);
  }

  boolean hasHealthyNodeInstance(String plugin) {
    return ClusterTables.hasHealthyNodeInstance(draft, plugin);
  }

  /**
   * The policy that a claim is under: that of its plugin, or of its volume's plugin while it waits.
   */
  Policy policy(Claim claim) {
    ClaimTerms terms = claim.terms();
    String plugin = terms != null ? terms.plugin() : volume == null ? "" : volume.spec().plugin();
    return policies.of(plugin, key.toString());
  }

  // ---- effects

  void emit(ClaimsEffect effect) {
    draft.emit(effect);
  }

  void happened(String name, @Nullable Claim claim, @Nullable String code, String message) {
    emit(
        new ClaimsEffect.Happened(
            name,
            claim == null ? null : claim.alloc(),
            claim == null ? null : claim.node(),
            code,
            message));
  }

  void answer(Volume.Origin origin, String command, @Nullable Refusal refusal, String message) {
    emit(
        new ClaimsEffect.Answered(
            new Answer(
                origin.commandId(),
                origin.by(),
                origin.reason(),
                command,
                key.toString(),
                refusal,
                message,
                now)));
    happened(
        "command",
        null,
        refusal == null ? null : refusal.text(),
        command + " by " + origin.by() + ": " + message);
  }

  /** Sends a request to the plugin's lanes under a new id. */
  String request(String plugin, LaneRequest.Body body) {
    Counters counters = counters();
    draft.put(
        ClaimTables.COUNTERS,
        key.toString(),
        new Counters(counters.nextGeneration(), counters.nextRequest() + 1));
    String requestId = key + "#" + counters.nextRequest();
    request(requestId, plugin, body);
    return requestId;
  }

  /** Sends something about an earlier request. */
  void request(String requestId, String plugin, LaneRequest.Body body) {
    emit(new ClaimsEffect.Requested(new LaneRequest(requestId, plugin, key.toString(), now, body)));
  }
}
