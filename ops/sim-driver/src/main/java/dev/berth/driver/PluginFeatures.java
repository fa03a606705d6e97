package dev.berth.driver;

/**
 * What a plugin as a whole can do. All instances of one plugin say the same, whichever services
 * they serve, as the CSI specification demands.
 *
 * @param controller some instance serves the controller service
 * @param attach the controller can attach and detach; needs {@code controller}
 * @param publishReadonly attach honours the read-only flag; needs {@code attach}
 * @param listVolumes the controller can list its volumes; needs {@code controller}
 * @param listPublished the list says which nodes a volume is attached to; needs {@code listVolumes}
 *     and {@code attach}
 * @param stage volumes are staged before they are published
 * @param singleNodeMultiWriter the access modes SINGLE_NODE_SINGLE_WRITER and _MULTI_WRITER are
 *     understood
 */
public record PluginFeatures(
    boolean controller,
    boolean attach,
    boolean publishReadonly,
    boolean listVolumes,
    boolean listPublished,
    boolean stage,
    boolean singleNodeMultiWriter) {

  public PluginFeatures {
    require("attach", attach, "controller", controller);
    require("publish-readonly", publishReadonly, "attach", attach);
    require("list-volumes", listVolumes, "controller", controller);
    require("list-published", listPublished, "list-volumes", listVolumes);
    require("list-published", listPublished, "attach", attach);
  }

  /** All there is, except the two alpha access modes. */
  public static PluginFeatures all() {
    return new PluginFeatures(true, true, true, true, true, true, false);
  }

  /** No controller: volumes are staged and published, never attached. */
  public static PluginFeatures nodeOnly() {
    return new PluginFeatures(false, false, false, false, false, true, false);
  }

  /** A controller that cannot attach. */
  public static PluginFeatures withoutAttach() {
    return new PluginFeatures(true, false, false, true, false, true, false);
  }

  /** The same with or without staging. */
  public PluginFeatures withStage(boolean other) {
    return new PluginFeatures(
        controller,
        attach,
        publishReadonly,
        listVolumes,
        listPublished,
        other,
        singleNodeMultiWriter);
  }

  /** The same with or without an attach that honours the read-only flag. */
  public PluginFeatures withPublishReadonly(boolean other) {
    return new PluginFeatures(
        controller, attach, other, listVolumes, listPublished, stage, singleNodeMultiWriter);
  }

  /** The same with or without attached nodes in the list. */
  public PluginFeatures withListPublished(boolean other) {
    return new PluginFeatures(
        controller, attach, publishReadonly, listVolumes, other, stage, singleNodeMultiWriter);
  }

  /** The same with or without the two alpha access modes. */
  public PluginFeatures withSingleNodeMultiWriter(boolean other) {
    return new PluginFeatures(
        controller, attach, publishReadonly, listVolumes, listPublished, stage, other);
  }

  private static void require(String what, boolean value, String needed, boolean neededValue) {
    if (value && !neededValue) {
      throw new IllegalArgumentException(
          "%s=true needs %s=true: set both, or neither".formatted(what, needed));
    }
  }
}
