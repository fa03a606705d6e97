package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every scenario of the product, each as a test of its own. */
@Execution(ExecutionMode.CONCURRENT)
class ScenarioTest {
  @TestFactory
  Stream<DynamicTest> everyScenarioHolds() {
    return ShippedScenarios.in(java.nio.file.Path.of("src/main/resources/scenarios"))
        .map(ScenarioTest::test);
  }

  private static DynamicTest test(Scenario scenario) {
    return DynamicTest.dynamicTest(
        scenario.id() + " " + scenario.title(),
        () -> assertThat(ScenarioRunner.run(scenario).failures()).isEmpty());
  }
}
