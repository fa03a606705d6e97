package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * LIVE.md says what the classifier says. To try the times of all scenarios takes two minutes: what
 * needs no trial is compared for all of them, the rest for every tenth.
 */
class LivePageTest {
  private static final Path PAGE = Path.of("LIVE.md");
  private static final String REGENERATE =
      "write it anew with: mvn -q -Dquick -Dregenerate -pl ops/scenarios -am package";
  private static final int EVERY = 10;

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void thePageInTheRepositoryIsWhatThePlansAre() throws IOException {
    List<Scenario> shipped = ScenarioFiles.shipped().stream().map(ScenarioFile::read).toList();
    if (System.getProperty("regenerate") != null) {
      Files.writeString(PAGE, LivePage.markdown(shipped));
    }
    List<String> page = Files.readAllLines(PAGE);
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < shipped.size(); i++) {
      Scenario scenario = shipped.get(i);
      if (i % EVERY == 0) {
        rows.add(LivePage.row(scenario, LivePlan.of(scenario)));
      } else {
        LiveLimits.unable(scenario)
            .ifPresent(reason -> rows.add(LivePage.row(scenario, new LivePlan.Cannot(reason))));
      }
    }

    assertThat(page).as(REGENERATE).containsAll(rows);
    assertThat(page.stream().filter(line -> line.matches("\\| [A-Z]\\S* \\|.*")))
        .as(REGENERATE)
        .map(line -> line.split(" ", -1)[1])
        .containsExactlyInAnyOrderElementsOf(shipped.stream().map(Scenario::id).toList());
  }
}
