package dev.berth.streams.claims;

import static dev.berth.records.AccessMode.MULTI_NODE_MULTI_WRITER;
import static dev.berth.records.AccessMode.MULTI_NODE_READER;
import static dev.berth.records.AccessMode.MULTI_NODE_SINGLE_WRITER;
import static dev.berth.records.AccessMode.SINGLE_NODE_READER;
import static dev.berth.records.AccessMode.SINGLE_NODE_WRITER;
import static dev.berth.streams.claims.AccessRules.Room.ALWAYS;
import static dev.berth.streams.claims.AccessRules.Room.NEVER;
import static dev.berth.streams.claims.AccessRules.Room.WHEN_NO_WRITER;
import static dev.berth.streams.claims.AccessRules.Room.WHEN_UNCLAIMED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AccessMode;
import dev.berth.streams.claims.AccessRules.Room;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The access table")
class AccessRulesTest {
  private record Line(AccessMode present, Room reader, Room writer) {}

  @Test
  @DisplayName("is that of domain.md")
  void table() {
    List<Line> table =
        Arrays.stream(AccessMode.values())
            .map(
                mode -> new Line(mode, AccessRules.room(mode, false), AccessRules.room(mode, true)))
            .toList();

    assertThat(table)
        .containsExactly(
            new Line(SINGLE_NODE_READER, WHEN_UNCLAIMED, NEVER),
            new Line(SINGLE_NODE_WRITER, WHEN_UNCLAIMED, WHEN_UNCLAIMED),
            new Line(MULTI_NODE_READER, ALWAYS, NEVER),
            new Line(MULTI_NODE_SINGLE_WRITER, ALWAYS, WHEN_NO_WRITER),
            new Line(MULTI_NODE_MULTI_WRITER, ALWAYS, ALWAYS));
  }
}
