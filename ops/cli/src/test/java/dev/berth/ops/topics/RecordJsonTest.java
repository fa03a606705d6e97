package dev.berth.ops.topics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.Command;
import dev.berth.records.FenceNode;
import dev.berth.records.Policy;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecordJsonTest {

  @Test
  @DisplayName("a record is an object of its fields, with moments as text and maps in order")
  void record() {
    Policy policy =
        new Policy(
            "plugin/ebs",
            Map.of("b", "2", "a", "1"),
            "ops",
            "",
            Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(RecordJson.of(policy))
        .hasToString(
            "{\"name\":\"plugin/ebs\",\"settings\":{\"a\":\"1\",\"b\":\"2\"},\"by\":\"ops\","
                + "\"reason\":\"\",\"at\":\"2026-01-01T00:00:00Z\"}");
  }

  @Test
  @DisplayName("where several kinds of records can stand, type says which")
  void kinds() {
    Command command =
        Command.newBuilder()
            .setCommandId("c1")
            .setBy("ops")
            .setReason("")
            .setAt(Instant.parse("2026-01-01T00:00:00Z"))
            .setBody(new FenceNode("n1"))
            .build();
    assertThat(RecordJson.of(command).get("body"))
        .hasToString("{\"type\":\"FenceNode\",\"node\":\"n1\"}");
  }

  @Test
  @DisplayName("records within lists, symbols, numbers, bytes and nothing are as plain")
  void parts() {
    List<Object> parts = new ArrayList<>();
    parts.add(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM));
    parts.add(7L);
    parts.add(true);
    parts.add(ByteBuffer.wrap(new byte[] {1, 2}));
    parts.add(null);
    assertThat(RecordJson.of(parts))
        .hasToString(
            "[{\"access\":\"SINGLE_NODE_WRITER\",\"attachment\":\"FILE_SYSTEM\"},7,true,\"AQI=\",null]");
  }
}
