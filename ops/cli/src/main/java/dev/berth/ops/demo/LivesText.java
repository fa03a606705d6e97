package dev.berth.ops.demo;

import dev.berth.ops.lives.Life;
import dev.berth.ops.terminal.DurationText;
import dev.berth.ops.terminal.TextTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The lives of a run as a table. */
final class LivesText {

  private LivesText() {}

  static TextTable table(List<LifeStory> lives) {
    TextTable table = new TextTable("life", "first decision after", "killed after", "while");
    int number = 1;
    for (LifeStory story : lives) {
      Optional<Life.Kill> kill = story.life().killed();
      table.row(
          number++,
          story.untilFirstDecision().map(DurationText::exact).orElse("-"),
          kill.map(k -> age(story.life(), k)).orElse("-"),
          kill.map(Life.Kill::doing).orElse("(to the end)"));
    }
    return table;
  }

  private static String age(Life life, Life.Kill kill) {
    return DurationText.exact(Duration.between(life.startedAt(), kill.at()));
  }
}
