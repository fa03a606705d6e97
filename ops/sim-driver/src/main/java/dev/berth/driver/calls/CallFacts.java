package dev.berth.driver.calls;

/**
 * What a caller asked for.
 *
 * @param plugin name of the plugin
 * @param instance the process of the plugin that was called
 * @param rpc which call
 * @param volume the provider's volume id as sent; empty if the call has none or it was left out
 * @param node the provider's node id: as sent for controller calls (empty if left out), the served
 *     node for node calls
 * @param path staging path of stage and unstage, target path of publish and unpublish, else empty
 * @param readonly the read-only flag as sent; false for calls that have none
 */
public record CallFacts(
    String plugin,
    String instance,
    Rpc rpc,
    String volume,
    String node,
    String path,
    boolean readonly) {

  /** A call that concerns no volume. */
  public static CallFacts of(String plugin, String instance, Rpc rpc) {
    return new CallFacts(plugin, instance, rpc, "", "", "", false);
  }

  /** The call in short, for example {@code CP vol-1 i-1 rw}. */
  public String notation() {
    StringBuilder text = new StringBuilder(rpc.symbol());
    if (rpc.changesState()) {
      text.append(' ').append(shown(volume)).append(' ');
      text.append(rpc.isNodeWork() ? "@" + node : shown(node));
    }
    if (!path.isEmpty()) {
      text.append(' ').append(path);
    }
    if (rpc == Rpc.CONTROLLER_PUBLISH || rpc == Rpc.NODE_PUBLISH) {
      text.append(readonly ? " ro" : " rw");
    }
    return text.toString();
  }

  private static String shown(String id) {
    return id.isEmpty() ? "(none)" : id;
  }
}
