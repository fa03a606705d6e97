package dev.berth.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReportMarkdownTest {

  @Test
  @DisplayName(
      "a page says on what was measured, what with, what came of it, and which goals were missed")
  void page() {
    assertThat(ReportMarkdown.of(Reports.one()))
        .isEqualTo(
            """
            # Benchmarks

            A quick run: it shows that the benches work; its figures say little.

            | | |
            |---|---|
            | when | 2030-01-01T00:00:00Z |
            | Berth | 0.1.0, commit abc1234 |
            | Kafka | 4.4.0 |
            | Java | 17.0.1 Some VM |
            | options | `-Xmx3g` |
            | system | Linux 6 amd64 |
            | machine | Some CPU, 2 cores, 24,000 MiB |

            ## core

            What it is.

            Settings: rounds 3, nodes 100. Took 90 s.

            A note.

            | goal | | limit | found | |
            |---|---|---:|---:|---|
            | time | at most | 2.00 µs | 1.50 µs | met |
            | ratio | at least | 0.700 | 0.500 | **missed** |

            ![Time & size](core.svg)

            | measure | median | min .. max | deviation | of | unit | others used |
            |---|---:|---:|---:|---:|---|---:|
            | decide: time | 1.50 | 1.40 .. 1.70 | 0.100 | 3 | µs | 38 % (50 %) |
            | moves | 1,234 | 1,234 .. 1,234 | 0 | 1 |  |  |
            """);
  }
}
