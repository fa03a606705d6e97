package dev.berth.ops.explore;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.policy.Policies;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a simulated world is made of.
 *
 * @param volumes its volumes, all in the namespace {@code default}
 * @param plugins its plugins; each has a node instance on every node
 * @param controllers where every plugin has its controllers: nodes that run no alloc
 * @param nodes where allocs run
 * @param allocs most allocs at a time (count)
 * @param slots attach slots of each node for each plugin (count); null when unlimited
 * @param policy settings that differ from the product's defaults, by key
 */
record Setup(
    List<VolumeSpec> volumes,
    List<String> plugins,
    List<String> controllers,
    List<String> nodes,
    int allocs,
    @Nullable Long slots,
    Map<String, String> policy) {

  private static final String NAMESPACE = "default";

  /** Keeps copies. */
  Setup {
    volumes = List.copyOf(volumes);
    plugins = List.copyOf(plugins);
    controllers = List.copyOf(controllers);
    nodes = List.copyOf(nodes);
    policy = Map.copyOf(policy);
  }

  /** A volume of a world. */
  static VolumeSpec volume(String id, String plugin, AccessMode... modes) {
    return new VolumeSpec(
        NAMESPACE,
        id,
        plugin,
        "vol-" + id,
        Arrays.stream(modes)
            .map(mode -> new VolumeSpec.Capability(mode, AttachmentMode.FILE_SYSTEM))
            .toList(),
        Map.of(),
        Map.of(),
        Map.of(),
        null,
        List.of(),
        List.of());
  }

  /** The policies in force. */
  Policies policies() {
    return new Policies(1, Map.of("default", policy));
  }

  VolumeSpec spec(String volume) {
    return volumes.get(indexOf(volume));
  }

  int indexOf(String volume) {
    for (int i = 0; i < volumes.size(); i++) {
      if (volumes.get(i).volume().equals(volume)) {
        return i;
      }
    }
    throw new IllegalArgumentException("no volume '" + volume + "' in this world");
  }

  static VolumeKey key(String volume) {
    return new VolumeKey(NAMESPACE, volume);
  }

  /** Whether one node at most may have a volume, in every mode that it has. */
  boolean singleNode(String volume) {
    return spec(volume).capabilities().stream()
        .map(VolumeSpec.Capability::access)
        .allMatch(
            mode -> mode == AccessMode.SINGLE_NODE_WRITER || mode == AccessMode.SINGLE_NODE_READER);
  }

  /** The provider's name for the machine that is, or was, a node. */
  static String machine(String plugin, String node, int life) {
    return plugin + "-" + node + (life == 0 ? "" : "." + life);
  }
}
