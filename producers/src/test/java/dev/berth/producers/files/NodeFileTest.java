package dev.berth.producers.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.producers.files.NodeFile.NodeEntry;
import dev.berth.records.NodeStatus;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeFileTest {

  @Test
  @DisplayName("a node takes new work unless its file says otherwise")
  void nodes() {
    assertThat(
            NodeFile.nodes(
                "n.yaml", "- {id: n1, status: ready}\n- {id: n2, status: down, eligible: false}\n"))
        .containsExactly(
            new Located<>("n.yaml", 1, new NodeEntry("n1", NodeStatus.READY, true)),
            new Located<>("n.yaml", 2, new NodeEntry("n2", NodeStatus.DOWN, false)));
  }

  @Test
  @DisplayName("a status that is none, and a flag that is none, are told with what would do")
  void wrong() {
    assertThatThrownBy(() -> NodeFile.nodes("n.yaml", "id: n1\nstatus: up\neligible: yes\n"))
        .hasMessage(
            "n.yaml:2: status: \"up\" is not a node status; give one of ready, disconnected, down,"
                + " gone"
                + System.lineSeparator()
                + "n.yaml:3: eligible: \"yes\" is neither true nor false; give one of them");
    assertThatThrownBy(() -> NodeFile.nodes("n.yaml", "id: n1\n"))
        .hasMessage("n.yaml:1: status: is missing; give one of ready, disconnected, down, gone");
  }
}
