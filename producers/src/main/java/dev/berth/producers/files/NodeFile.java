package dev.berth.producers.files;

import dev.berth.producers.FieldRules;
import dev.berth.records.NodeStatus;
import java.util.List;

/** Reads nodes from a file. */
public final class NodeFile {

  private static final NodeStatus[] STATUSES = {
    NodeStatus.READY, NodeStatus.DISCONNECTED, NodeStatus.DOWN, NodeStatus.GONE
  };

  private NodeFile() {}

  /**
   * A node as a file tells it.
   *
   * @param id node id
   * @param status its status
   * @param eligible whether the scheduler places new work there
   */
  public record NodeEntry(String id, NodeStatus status, boolean eligible) {}

  /**
   * Reads nodes.
   *
   * @param file name for errors
   * @param text the file's content, YAML or JSON
   * @throws InvalidFileException with all that is wrong
   */
  public static List<Located<NodeEntry>> nodes(String file, String text) {
    return Records.read(
        file,
        text,
        fields ->
            new NodeEntry(
                fields.required("id", "the node's id", id -> FieldRules.id("id", id)),
                fields.requiredSymbol("status", "a node status", STATUSES),
                fields.flag("eligible", true)),
        node -> List.of("node " + node.id()));
  }
}
