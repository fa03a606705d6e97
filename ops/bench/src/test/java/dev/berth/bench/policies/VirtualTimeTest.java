package dev.berth.bench.policies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {

  @Test
  @DisplayName("what is planned happens in order of time, then in the order it was planned")
  void order() {
    VirtualTime time = new VirtualTime();
    List<String> happened = new ArrayList<>();
    time.at(20, () -> happened.add("late@" + time.now()));
    time.at(10, () -> happened.add("first@" + time.now()));
    time.at(10, () -> time.in(0, () -> happened.add("caused@" + time.now())));
    time.at(10, () -> happened.add("second@" + time.now()));
    time.at(99, () -> happened.add("never"));

    time.run(50);

    assertThat(happened).containsExactly("first@10", "second@10", "caused@10", "late@20");
  }
}
