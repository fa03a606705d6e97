package dev.berth.ops.stack;

import dev.berth.driver.PluginFeatures;
import dev.berth.driver.provider.Access;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A simulated plugin of the embedded stack.
 *
 * @param id plugin id
 * @param features what it can do
 * @param controllers controller instances, on the first nodes (count)
 * @param access what its volumes take
 * @param maxVolumes attach slots of a node; 0 is no limit
 * @param policy settings of its policy record, in the words of the policies page; empty for none
 */
public record StackPlugin(
    String id,
    PluginFeatures features,
    int controllers,
    Access access,
    long maxVolumes,
    Map<String, String> policy) {

  /** Like a block store with one attachment per volume. */
  public static final String EBS = "ebs";

  /** Like a block store whose volumes may be shared. */
  public static final String GCE = "gce";

  /** Like a file server: nothing is attached. */
  public static final String NFS = "nfs";

  /** Copies the settings. */
  public StackPlugin {
    policy = Map.copyOf(policy);
  }

  /**
   * The three plugins of the stack:
   *
   * <ul>
   *   <li>{@code ebs}: two controllers, staging, 25 slots per node; node workers mount,
   *   <li>{@code gce}: one controller, no staging, 127 slots per node; clients mount,
   *   <li>{@code nfs}: no controller, no staging; clients mount.
   * </ul>
   */
  public static List<StackPlugin> usual() {
    return List.of(
        new StackPlugin(
            EBS, PluginFeatures.all(), 2, Access.SINGLE_NODE, 25, Map.of("node-step", "worker")),
        new StackPlugin(
            GCE, PluginFeatures.all().withStage(false), 1, Access.MULTI_NODE, 127, Map.of()),
        new StackPlugin(
            NFS, PluginFeatures.nodeOnly().withStage(false), 0, Access.MULTI_NODE, 0, Map.of()));
  }

  /** Whether node workers mount its volumes, rather than the clients. */
  public boolean workersMount() {
    return "worker".equals(policy.get("node-step"));
  }

  /** The same with one setting of its policy record besides. */
  public StackPlugin withPolicy(String key, String value) {
    Map<String, String> settings = new HashMap<>(policy);
    settings.put(key, value);
    return new StackPlugin(id, features, controllers, access, maxVolumes, settings);
  }

  /** The same with another number of slots. */
  public StackPlugin withMaxVolumes(long slots) {
    return new StackPlugin(id, features, controllers, access, slots, policy);
  }
}
