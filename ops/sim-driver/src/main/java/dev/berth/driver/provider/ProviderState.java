package dev.berth.driver.provider;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The fold of a provider's changes, live and on replay alike. Only {@link #apply} changes it. Not
 * thread-safe.
 */
final class ProviderState {

  private final NavigableMap<String, Volume> volumes = new TreeMap<>();
  private final NavigableMap<String, ProviderNode> nodes = new TreeMap<>();
  // The same attachments twice: by volume, then node, and by node, then volume.
  private final Map<String, NavigableMap<String, Attachment>> byVolume = new TreeMap<>();
  private final Map<String, NavigableMap<String, Attachment>> byNode = new TreeMap<>();
  // By node, then volume.
  private final Map<String, NavigableMap<String, Mount>> mounts = new TreeMap<>();
  private long catalogueVersion;

  void apply(Change change) {
    if (change instanceof Change.VolumeCreated created) {
      volumes.put(created.volume(), new Volume(created.volume(), created.access()));
      catalogueVersion++;
    } else if (change instanceof Change.VolumeRemoved removed) {
      removeVolume(removed.volume());
    } else if (change instanceof Change.NodeAdded added) {
      nodes.put(added.node(), new ProviderNode(added.node(), added.slots()));
    } else if (change instanceof Change.NodeRemoved removed) {
      removeNode(removed.node());
    } else if (change instanceof Change.Attached attached) {
      attach(
          new Attachment(attached.volume(), attached.node(), attached.usage(), attached.device()));
    } else if (change instanceof Change.Detached detached) {
      detach(detached.volume(), detached.node());
    } else {
      applyMount(change);
    }
  }

  private void applyMount(Change change) {
    if (change instanceof Change.Staged staged) {
      Mount.Staged stage = new Mount.Staged(staged.path(), staged.usage());
      updateMount(staged.volume(), staged.node(), m -> m.withStaged(Optional.of(stage)));
    } else if (change instanceof Change.Unstaged unstaged) {
      updateMount(unstaged.volume(), unstaged.node(), m -> m.withStaged(Optional.empty()));
    } else if (change instanceof Change.Published published) {
      updateMount(
          published.volume(),
          published.node(),
          m -> m.withPublished(published.target(), published.usage()));
    } else if (change instanceof Change.Unpublished unpublished) {
      updateMount(
          unpublished.volume(), unpublished.node(), m -> m.withoutPublished(unpublished.target()));
    } else if (change instanceof Change.NodeRebooted rebooted) {
      mounts.remove(rebooted.node());
    }
  }

  private void removeVolume(String volume) {
    volumes.remove(volume);
    catalogueVersion++;
    attachmentsOf(volume).forEach(attachment -> detach(volume, attachment.node()));
    mounts.values().forEach(ofNode -> ofNode.remove(volume));
  }

  private void removeNode(String node) {
    nodes.remove(node);
    attachmentsOn(node).forEach(attachment -> detach(attachment.volume(), node));
    mounts.remove(node);
  }

  private void attach(Attachment attachment) {
    byVolume
        .computeIfAbsent(attachment.volume(), v -> new TreeMap<>())
        .put(attachment.node(), attachment);
    byNode
        .computeIfAbsent(attachment.node(), n -> new TreeMap<>())
        .put(attachment.volume(), attachment);
  }

  private void detach(String volume, String node) {
    byVolume.computeIfPresent(volume, (v, attachments) -> without(attachments, node));
    byNode.computeIfPresent(node, (n, attachments) -> without(attachments, volume));
  }

  // Null tells the map to drop an entry that has become empty.
  @SuppressWarnings("NullAway")
  private static <V> NavigableMap<String, V> without(NavigableMap<String, V> map, String key) {
    map.remove(key);
    return map.isEmpty() ? null : map;
  }

  private void updateMount(String volume, String node, UnaryOperator<Mount> update) {
    Mount mount = update.apply(mount(volume, node));
    NavigableMap<String, Mount> ofNode = mounts.computeIfAbsent(node, n -> new TreeMap<>());
    if (mount.isEmpty()) {
      ofNode.remove(volume);
    } else {
      ofNode.put(volume, mount);
    }
  }

  Optional<Volume> volume(String id) {
    return Optional.ofNullable(volumes.get(id));
  }

  Optional<ProviderNode> node(String id) {
    return Optional.ofNullable(nodes.get(id));
  }

  /** The volumes whose ids come after {@code id}, sorted. */
  Collection<Volume> volumesAfter(String id) {
    return volumes.tailMap(id, false).values();
  }

  /** Goes up whenever the set of volumes changes. */
  long catalogueVersion() {
    return catalogueVersion;
  }

  List<Attachment> attachmentsOf(String volume) {
    NavigableMap<String, Attachment> attachments = byVolume.get(volume);
    return attachments == null ? List.of() : List.copyOf(attachments.values());
  }

  List<Attachment> attachmentsOn(String node) {
    NavigableMap<String, Attachment> attachments = byNode.get(node);
    return attachments == null ? List.of() : List.copyOf(attachments.values());
  }

  boolean isAttached(String volume, String node) {
    NavigableMap<String, Attachment> attachments = byVolume.get(volume);
    return attachments != null && attachments.containsKey(node);
  }

  Mount mount(String volume, String node) {
    NavigableMap<String, Mount> ofNode = mounts.get(node);
    Mount mount = ofNode == null ? null : ofNode.get(volume);
    return mount == null ? Mount.none(volume, node) : mount;
  }

  ProviderSnapshot snapshot() {
    return new ProviderSnapshot(
        List.copyOf(volumes.values()),
        List.copyOf(nodes.values()),
        byVolume.values().stream().flatMap(ofVolume -> ofVolume.values().stream()).toList(),
        mounts.values().stream().flatMap(ofNode -> ofNode.values().stream()).toList());
  }
}
