package dev.berth.ops.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShrinkingTest {

  @Test
  void keepsNoStepThatIsNotNeeded() {
    List<Step> steps = IntStream.range(0, 100).<Step>mapToObj(Step.Repeated::new).toList();
    List<Step> needed = List.of(new Step.Repeated(17), new Step.Repeated(83));

    List<Step> shrunk = Shrinking.shrink(steps, some -> some.containsAll(needed));

    assertThat(shrunk).isEqualTo(needed);
  }

  @Test
  void leavesNothingWhenNothingIsNeeded() {
    assertThat(Shrinking.shrink(List.of(new Step.LateReport()), some -> true)).isEmpty();
  }
}
