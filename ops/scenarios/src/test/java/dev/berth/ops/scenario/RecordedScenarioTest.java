package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.record.Kept;
import dev.berth.ops.record.Recording;
import dev.berth.ops.record.ScenarioRecorder;
import dev.berth.ops.record.Wanted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What the product does in its own scenarios, recorded from the topics alone, is a scenario that
 * holds.
 */
@Execution(ExecutionMode.CONCURRENT)
class RecordedScenarioTest {
  /** Thousands of records: they show no more than the others and take minutes. */
  private static final Set<String> LONG = Set.of("K06", "R18", "S98");

  /** What its topics do not tell: a row that was edited behind the back of everybody. */
  private static final Set<String> UNTOLD = Set.of("K12b", "B40", "B113", "B114");

  /**
   * Volumes whose story is another without those beside them, as the recording's note says: these
   * held a lane, a slot, a run or the provider's volume.
   */
  private static final Set<String> NOT_ALONE =
      Set.of(
          "B06 blue/db",
          "B64 default/D1",
          "B65 default/D1",
          "B137 default/D1",
          "R06 default/vM",
          "S37 default/vA",
          "S80 default/vA");

  /** How many volumes are recorded without those beside them. */
  private static final int MOST_ALONE = 1;

  @TestFactory
  Stream<DynamicTest> whatWasRecordedHolds() {
    return ScenarioFiles.shipped().stream()
        .map(ScenarioFile::read)
        .filter(scenario -> !LONG.contains(scenario.id()) && !UNTOLD.contains(scenario.id()))
        .flatMap(RecordedScenarioTest::recordings);
  }

  /** The first volume alone, and all of them. */
  private static Stream<DynamicTest> recordings(Scenario scenario) {
    Set<String> volumes = new TreeSet<>();
    scenario.volumesByExternalId().values().forEach(volumes::addAll);
    Set<String> claimed = new TreeSet<>();
    scenario.volumesByAlloc().values().forEach(claimed::addAll);
    volumes.retainAll(claimed);
    List<List<Kept>> story = new ArrayList<>();
    Stream<Set<String>> each =
        volumes.stream()
            .limit(MOST_ALONE)
            .filter(volume -> !NOT_ALONE.contains(scenario.id() + " " + volume))
            .map(Set::of);
    return (volumes.size() > 1 ? Stream.concat(each, Stream.of(volumes)) : each)
        .map(
            some ->
                DynamicTest.dynamicTest(
                    scenario.id() + " " + String.join(", ", some),
                    () ->
                        holds(
                            scenario.id() + " " + some,
                            ScenarioRecorder.record(
                                once(story, () -> records(scenario)), wanted(some)))));
  }

  private static List<Kept> once(List<List<Kept>> story, Supplier<List<Kept>> run) {
    synchronized (story) {
      if (story.isEmpty()) {
        story.add(run.get());
      }
      return story.get(0);
    }
  }

  private static void holds(String name, Recording recording) {
    Scenario recorded =
        Scenario.read("recorded.yaml", recording.text(), fixture -> Optional.empty());
    assertThat(ScenarioRunner.run(recorded).failures())
        .as(name + "\n" + recording.text())
        .isEmpty();
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
