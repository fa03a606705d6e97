package dev.berth.ops.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProcessFactsTest {

  @Test
  @DisplayName("the peak is the high water mark of the resident set")
  void peak() {
    String status = "Name:\tjava\nVmPeak:\t 9000 kB\nVmHWM:\t  563712 kB\nVmRSS:\t  400000 kB\n";
    assertThat(ProcessFacts.peakMemoryKb(status)).isEqualTo(Optional.of(563_712L));
    assertThat(ProcessFacts.peakMemoryKb("Name:\tjava\n")).isEqualTo(Optional.empty());
  }
}
