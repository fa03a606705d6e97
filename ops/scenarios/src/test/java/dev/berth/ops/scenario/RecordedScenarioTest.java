package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.record.Kept;
import dev.berth.ops.record.Recording;
import dev.berth.ops.record.ScenarioRecorder;
import dev.berth.ops.record.Wanted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What the product does in its own scenarios, recorded from the topics alone, is a scenario that
 * holds.
 */
class RecordedScenarioTest {
  /** All but what a file cannot say: rows that are edited, and others in the same lanes. */
  private static final Set<String> RECORDED =
      Set.of(
          "S01a", "S01b", "S05", "S09a", "S12", "S20b", "S24b", "S30", "S32a", "S38", "S56", "S58",
          "S90", "K10", "K13a", "K15d", "R08", "R14");

  @TestFactory
  Stream<DynamicTest> whatWasRecordedHolds() {
    return ScenarioFiles.shipped().stream()
        .map(ScenarioFile::read)
        .filter(scenario -> RECORDED.contains(scenario.id()))
        .flatMap(RecordedScenarioTest::recordings);
  }

  /** Each volume alone, and all of them. */
  private static Stream<DynamicTest> recordings(Scenario scenario) {
    Set<String> volumes = new TreeSet<>();
    scenario.volumesByExternalId().values().forEach(volumes::addAll);
    Set<String> claimed = new TreeSet<>();
    scenario.volumesByAlloc().values().forEach(claimed::addAll);
    volumes.retainAll(claimed);
    Stream<Set<String>> each = volumes.stream().map(Set::of);
    return (volumes.size() > 1 ? Stream.concat(each, Stream.of(volumes)) : each)
        .map(
            some ->
                DynamicTest.dynamicTest(
                    scenario.id() + " " + String.join(", ", some),
                    () -> holds(ScenarioRecorder.record(records(scenario), wanted(some)))));
  }

  private static void holds(Recording recording) {
    Scenario recorded = Scenario.read("recorded.yaml", recording.text(), name -> Optional.empty());
    assertThat(ScenarioRunner.run(recorded).failures()).as(recording.text()).isEmpty();
  }

  private static Wanted wanted(Set<String> volumes) {
    return new Wanted("recorded", volumes, null, null, Duration.ZERO, List.of("a scenario"));
  }

  private static List<Kept> records(Scenario scenario) {
    return ScenarioRunner.log(scenario).stream()
        .map(seen -> new Kept(seen.topic(), seen.at(), seen.key(), seen.value()))
        .toList();
  }
}
