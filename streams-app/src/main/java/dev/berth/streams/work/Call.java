package dev.berth.streams.work;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.CsiCall;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One CSI call with all that it needs. Secrets and mount flags are references.
 *
 * @param rpc which RPC
 * @param namespace namespace of the volume
 * @param volume volume id
 * @param alloc alloc for which it is made; null for calls of the attachment as a whole
 * @param node node (scheduler's id)
 * @param externalVolume CSI volume_id
 * @param externalNode CSI node_id of a controller call, never empty; null when not known yet, and
 *     in node calls
 * @param access CSI access mode
 * @param attachment file system or block device
 * @param readOnly CSI readonly; of an attach that waits: whether it is for a reader
 * @param fsType file system type; null leaves it to the plugin
 * @param mountFlags mount flags
 * @param context CSI volume_context
 * @param publishContext publish_context of the attachment, for node calls
 * @param secrets CSI secret references
 */
public record Call(
    CsiCall rpc,
    String namespace,
    String volume,
    @Nullable String alloc,
    String node,
    String externalVolume,
    @Nullable String externalNode,
    AccessMode access,
    AttachmentMode attachment,
    boolean readOnly,
    @Nullable String fsType,
    List<String> mountFlags,
    Map<String, String> context,
    Map<String, String> publishContext,
    Map<String, String> secrets) {

  /**
   * Refuses an empty node id: the CSI specification reads it as "every node"
   * (ControllerUnpublishVolume).
   */
  public Call {
    if (externalNode != null && externalNode.isEmpty()) {
      throw new IllegalArgumentException(
          "externalNode is empty: leave it null while it is unknown");
    }
    mountFlags = List.copyOf(mountFlags);
    context = Map.copyOf(context);
    publishContext = Map.copyOf(publishContext);
    secrets = Map.copyOf(secrets);
  }

  /** Whether it goes to a controller (and so into a lane of the plugin). */
  public boolean toController() {
    return toController(rpc);
  }

  /** Whether calls of a kind go to a controller. */
  public static boolean toController(CsiCall rpc) {
    return rpc == CsiCall.CONTROLLER_PUBLISH || rpc == CsiCall.CONTROLLER_UNPUBLISH;
  }

  /** The same call with the provider's node id filled in. */
  public Call withExternalNode(String known) {
    return with(known, readOnly);
  }

  /**
   * The call as an instance gets it: a plugin that does not advertise PUBLISH_READONLY may refuse
   * an attach that carries the flag (CSI, ControllerPublishVolumeRequest.readonly).
   *
   * @param publishReadOnly whether the instance advertises it
   */
  public Call sentTo(boolean publishReadOnly) {
    boolean cannot = rpc == CsiCall.CONTROLLER_PUBLISH && readOnly && !publishReadOnly;
    return cannot ? with(externalNode, false) : this;
  }

  private Call with(@Nullable String newExternalNode, boolean newReadOnly) {
    return new Call(
        rpc,
        namespace,
        volume,
        alloc,
        node,
        externalVolume,
        newExternalNode,
        access,
        attachment,
        newReadOnly,
        fsType,
        mountFlags,
        context,
        publishContext,
        secrets);
  }

  /** How much text it carries (characters), for what has to fit into a record. */
  public int text() {
    return Stream.of(
                namespace,
                volume,
                Objects.requireNonNullElse(alloc, ""),
                node,
                externalVolume,
                Objects.requireNonNullElse(externalNode, ""),
                Objects.requireNonNullElse(fsType, ""))
            .mapToInt(String::length)
            .sum()
        + mountFlags.stream().mapToInt(String::length).sum()
        + text(context)
        + text(publishContext)
        + text(secrets);
  }

  private static int text(Map<String, String> texts) {
    return texts.entrySet().stream()
        .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
        .sum();
  }
}
