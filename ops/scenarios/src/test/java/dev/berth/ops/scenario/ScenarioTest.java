package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every scenario of the product, each as a test of its own. */
@Execution(ExecutionMode.CONCURRENT)
class ScenarioTest {
  /** Begin of the ids of the scenarios to run; all when it is not set. */
  private static final String ONLY = System.getProperty("berth.scenario", "");

  @TestFactory
  Stream<DynamicTest> everyScenarioHolds() {
    return scenarios()
        .map(
            scenario ->
                DynamicTest.dynamicTest(
                    name(scenario),
                    () -> assertThat(ScenarioRunner.run(scenario).failures()).isEmpty()));
  }

  private static Stream<Scenario> scenarios() {
    List<Scenario> wanted =
        ScenarioFiles.shipped().stream()
            .map(ScenarioFile::read)
            .filter(scenario -> scenario.id().startsWith(ONLY))
            .toList();
    assertThat(wanted).extracting(Scenario::id).doesNotHaveDuplicates();
    assertThat(wanted).as("scenarios whose id begins with '%s'", ONLY).isNotEmpty();
    return wanted.stream();
  }

  private static String name(Scenario scenario) {
    return scenario.id() + " " + scenario.title();
  }
}
