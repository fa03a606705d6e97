package dev.berth.driver.provider;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** One thing that happened to a provider's state; the state is the fold of its changes. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "change")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Change.VolumeCreated.class, name = "volume-created"),
  @JsonSubTypes.Type(value = Change.VolumeRemoved.class, name = "volume-removed"),
  @JsonSubTypes.Type(value = Change.NodeAdded.class, name = "node-added"),
  @JsonSubTypes.Type(value = Change.NodeRemoved.class, name = "node-removed"),
  @JsonSubTypes.Type(value = Change.Attached.class, name = "attached"),
  @JsonSubTypes.Type(value = Change.Detached.class, name = "detached"),
  @JsonSubTypes.Type(value = Change.Staged.class, name = "staged"),
  @JsonSubTypes.Type(value = Change.Unstaged.class, name = "unstaged"),
  @JsonSubTypes.Type(value = Change.Published.class, name = "published"),
  @JsonSubTypes.Type(value = Change.Unpublished.class, name = "unpublished"),
  @JsonSubTypes.Type(value = Change.NodeRebooted.class, name = "node-rebooted")
})
public sealed interface Change {

  /** A volume exists. */
  record VolumeCreated(String volume, Access access) implements Change {}

  /** A volume is gone, and with it its attachments and mounts. */
  record VolumeRemoved(String volume) implements Change {}

  /** A node exists, or has another number of slots. */
  record NodeAdded(String node, long slots) implements Change {}

  /** A node is gone, and with it its attachments and mounts. */
  record NodeRemoved(String node) implements Change {}

  /** A volume is attached. */
  record Attached(String volume, String node, Usage usage, String device) implements Change {}

  /** A volume is not attached to that node any more. */
  record Detached(String volume, String node) implements Change {}

  /** A volume is staged on a node. */
  record Staged(String volume, String node, String path, Usage usage) implements Change {}

  /** A volume is not staged any more. */
  record Unstaged(String volume, String node) implements Change {}

  /** A volume is published at a target. */
  record Published(String volume, String node, String target, Usage usage) implements Change {}

  /** A volume is not published at that target any more. */
  record Unpublished(String volume, String node, String target) implements Change {}

  /** A node has lost its mounts; its attachments stay. */
  record NodeRebooted(String node) implements Change {}
}
