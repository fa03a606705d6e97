package dev.berth.driver.provider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * One storage provider, shared by all driver instances of a plugin: its volumes and nodes, what is
 * attached to what, and what the nodes have mounted.
 *
 * <p>Thread-safe; each method is one step. With a state directory every change is handed to the
 * operating system before it counts, so that a killed process finds its attachments again.
 */
public final class Provider implements AutoCloseable {

  private final ProviderSpec spec;
  private final OpenCalls openCalls;
  private final ProviderState state;
  private final Optional<Journal> journal;
  private int detachesFromEveryNode;

  private Provider(ProviderSpec spec, ProviderState state, Optional<Journal> journal) {
    this.spec = spec;
    this.openCalls = new OpenCalls(spec);
    this.state = state;
    this.journal = journal;
  }

  /** A provider that is gone with the process. */
  public static Provider inMemory(ProviderSpec spec) {
    return new Provider(spec, new ProviderState(), Optional.empty());
  }

  /**
   * A provider that goes on from what {@code directory} holds; the directory is made if missing.
   *
   * @throws IOException if the directory cannot be used, or another process uses it
   */
  public static Provider open(ProviderSpec spec, Path directory) throws IOException {
    Files.createDirectories(directory);
    Path file = directory.resolve("provider.jsonl");
    Journal journal = Journal.append(file);
    ProviderState state = new ProviderState();
    try {
      Journal.read(file).forEach(state::apply);
    } catch (IOException | RuntimeException e) {
      journal.close();
      throw e;
    }
    return new Provider(spec, state, Optional.of(journal));
  }

  /** Makes a volume; one that exists keeps its attachments and gets this access. */
  public synchronized void createVolume(String id, Access access) {
    if (id.isEmpty()) {
      throw new IllegalArgumentException("the id of a volume is empty; give it one");
    }
    if (!state.volume(id).equals(Optional.of(new Volume(id, access)))) {
      change(new Change.VolumeCreated(id, access));
    }
  }

  /**
   * Makes a node, or gives it another number of slots.
   *
   * @param slots volumes that can be attached at a time; 0 is no limit
   */
  public synchronized void addNode(String id, long slots) {
    if (!state.node(id).equals(Optional.of(new ProviderNode(id, slots)))) {
      change(new Change.NodeAdded(id, slots));
    }
  }

  /** Makes a node unless it exists. */
  public synchronized void addNodeIfMissing(String id, long slots) {
    if (state.node(id).isEmpty()) {
      addNode(id, slots);
    }
  }

  /** Behind the caller's back: the volume is deleted, attached or not. */
  public synchronized void removeVolume(String id) {
    change(new Change.VolumeRemoved(id));
  }

  /** Behind the caller's back: the machine is deleted, with all that was attached to it. */
  public synchronized void removeNode(String id) {
    change(new Change.NodeRemoved(id));
  }

  /** Behind the caller's back: the machine restarts; its mounts are gone, its attachments stay. */
  public synchronized void rebootNode(String id) {
    change(new Change.NodeRebooted(id));
  }

  /** Behind the caller's back: somebody else detaches a volume. */
  public synchronized void detachBehindTheBack(String volume, String node) {
    change(new Change.Detached(volume, node));
  }

  /** Asks whether an attach may begin. */
  public Admission beginPublish(String volume, String node) {
    return openCalls.attach(volume, node);
  }

  /** Asks whether a detach may begin; an empty node means every node. */
  public Admission beginUnpublish(String volume, String node) {
    return openCalls.detach(volume, node);
  }

  /** Asks whether a node call may begin. */
  public Admission beginMount(String volume, String node) {
    return openCalls.mount(volume, node);
  }

  /** Attaches a volume, if the rules allow. */
  public synchronized Decision publish(String volume, String node, Usage usage) {
    createOnFirstUse(volume);
    return carryOut(
        AttachRules.publish(
            volume,
            node,
            usage,
            state.volume(volume),
            state.node(node),
            state.attachmentsOf(volume),
            state.attachmentsOn(node)));
  }

  /** Detaches a volume from a node, or from every node if {@code node} is empty. */
  public synchronized Decision unpublish(String volume, String node) {
    if (node.isEmpty()) {
      detachesFromEveryNode++;
    }
    return carryOut(AttachRules.unpublish(node, state.attachmentsOf(volume)));
  }

  /** Stages a volume on a node. */
  public synchronized Decision stage(
      String volume, String node, boolean needsAttachment, String path, Usage usage) {
    createOnFirstUse(volume);
    return carryOut(MountRules.stage(situation(volume, node, needsAttachment, true), path, usage));
  }

  /** Undoes the staging of a volume on a node. */
  public synchronized Decision unstage(String volume, String node) {
    return carryOut(MountRules.unstage(state.mount(volume, node)));
  }

  /** Publishes a volume at a target of a node. */
  public synchronized Decision publishTarget(
      MountRequest request, boolean needsAttachment, boolean needsStaging) {
    createOnFirstUse(request.volume());
    return carryOut(
        MountRules.publish(
            situation(request.volume(), request.node(), needsAttachment, needsStaging),
            request.stagingPath(),
            request.target(),
            request.usage()));
  }

  /** Takes a volume away from a target of a node. */
  public synchronized Decision unpublishTarget(String volume, String node, String target) {
    return carryOut(MountRules.unpublish(state.mount(volume, node), target));
  }

  /**
   * A page of the volumes; empty if volumes came or went since the page that the token is from, or
   * it never was a token.
   *
   * @param max most entries; 0 is no limit
   * @param token that of the page before; empty for the first page
   */
  public synchronized Optional<VolumePage> list(int max, String token) {
    String version = state.catalogueVersion() + ":";
    if (!token.isEmpty() && !token.startsWith(version)) {
      return Optional.empty();
    }
    String last = token.isEmpty() ? "" : token.substring(version.length());
    Iterator<Volume> rest = state.volumesAfter(last).iterator();
    List<VolumePage.Entry> entries = new ArrayList<>();
    while (rest.hasNext() && (max == 0 || entries.size() < max)) {
      Volume volume = rest.next();
      last = volume.id();
      entries.add(
          new VolumePage.Entry(
              volume, state.attachmentsOf(last).stream().map(Attachment::node).toList()));
    }
    return Optional.of(new VolumePage(entries, rest.hasNext() ? version + last : ""));
  }

  /** Everything that the provider holds now. */
  public synchronized ProviderSnapshot snapshot() {
    return state.snapshot();
  }

  /** What is attached now, sorted by volume and node. */
  public List<Attachment> attachments() {
    return snapshot().attachments();
  }

  /** How many detaches came without a node, and so would have hit every node. */
  public synchronized int detachesFromEveryNode() {
    return detachesFromEveryNode;
  }

  private MountRules.Situation situation(
      String volume, String node, boolean needsAttachment, boolean needsStaging) {
    return new MountRules.Situation(
        state.volume(volume),
        needsAttachment,
        state.isAttached(volume, node),
        needsStaging,
        state.mount(volume, node));
  }

  private void createOnFirstUse(String volume) {
    if (state.volume(volume).isEmpty()) {
      spec.autoCreate().ifPresent(access -> createVolume(volume, access));
    }
  }

  private Decision carryOut(Decision decision) {
    if (decision instanceof Decision.Accept accept) {
      accept.changes().forEach(this::change);
    }
    return decision;
  }

  private void change(Change change) {
    journal.ifPresent(j -> j.write(change));
    state.apply(change);
  }

  @Override
  public synchronized void close() {
    journal.ifPresent(
        j -> {
          try {
            j.close();
          } catch (IOException e) {
            throw new UncheckedIOException("cannot close the journal", e);
          }
        });
  }
}
