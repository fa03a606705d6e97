package dev.berth.ops.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.terminal.TextTable;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Lines for people")
class LinesTest {
  private static final String LONG = "word ".repeat(50).strip();

  @Test
  @DisplayName("are no longer than a terminal is wide, and lose no word")
  void paragraph() {
    assertThat(Lines.paragraph("short  as it is")).containsExactly("short  as it is");
    assertThat(Lines.paragraph(LONG)).hasSize(3).allMatch(line -> line.length() <= Lines.WIDTH);
    assertThat(String.join(" ", Lines.paragraph(LONG))).isEqualTo(LONG);
  }

  @Test
  @DisplayName("hang under what they belong to")
  void hanging() {
    List<String> lines = Lines.hanging("    remedy: ", LONG);
    assertThat(lines)
        .hasSize(3)
        .allMatch(line -> line.length() <= Lines.WIDTH)
        .first()
        .asString()
        .startsWith("    remedy: word");
    assertThat(lines.get(1)).startsWith("            word");
  }

  @Test
  @DisplayName("of a table go on under their column")
  void folded() {
    List<String> lines = new TextTable("VOLUME", "MESSAGE").row("prod/db", LONG).folded(60);
    assertThat(lines).hasSize(6).allMatch(line -> line.length() <= 60);
    assertThat(lines.subList(1, 3))
        .containsExactly(
            "prod/db  word word word word word word word word word word",
            "         word word word word word word word word word word");
    assertThat(new TextTable("VOLUME", "MESSAGE").row("prod/db", "done").folded(60))
        .containsExactly("VOLUME   MESSAGE", "prod/db  done");
  }
}
