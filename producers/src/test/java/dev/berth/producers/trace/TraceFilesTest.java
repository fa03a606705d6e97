package dev.berth.producers.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceFilesTest {

  private static final String PODS =
      "name,cpu_milli,memory_mib,qos,pod_phase,deletion_time,scheduled_time\n";

  @Test
  void readsPodsByTheNamesOfTheColumns() {
    CsvFile file =
        file(
            """
            scheduled_time,extra,name,cpu_milli,memory_mib,qos,pod_phase,deletion_time
            5,"a,b",p1,4000,1024,LS,Running,9

            ,,p2,1,0,,Pending,
            """);

    assertThat(TracePods.read(file))
        .containsExactly(
            new TracePod(
                "p1",
                4000,
                1024,
                "LS",
                "Running",
                Optional.of(Duration.ofSeconds(5)),
                Optional.of(Duration.ofSeconds(9))),
            new TracePod("p2", 1, 0, "", "Pending", Optional.empty(), Optional.empty()));
  }

  @Test
  void readsNodes() {
    assertThat(TraceNodes.read(file("sn,cpu_milli,memory_mib,gpu,model\nn1,32000,262144,0,\n")))
        .containsExactly(new TraceNode("n1", 32_000, 262_144));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "p1,4.5,1,LS,Running,9,5 | t.csv:3: cpu_milli '4.5': is no whole number; give digits only",
        "p1,4,-1,LS,Running,9,5 | t.csv:3: memory_mib '-1': is negative; give 0 or more",
        ",4,1,LS,Running,9,5 | t.csv:3: name '': is empty; give a value",
        "a/b,4,1,LS,Running,9,5 | t.csv:3: name 'a/b': holds a slash",
        "p0,4,1,LS,Running,9,5 | t.csv:3: name 'p0': stands on an earlier line too",
        "p1,4,1,LS,Running,3,5 | t.csv:3: deletion_time '3': is before the scheduled_time 5",
        "p1,4,1,LS,Running,9 | t.csv:3: columns '6': the first line names 7",
      })
  void aBadLineIsNamedWithItsColumnAndARemedy(String line, String message) {
    CsvFile file = file(PODS + "p0,1,1,LS,Running,9,5\n" + line + "\n");

    assertThatThrownBy(() -> TracePods.read(file))
        .isInstanceOf(TraceFileException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aMissingColumnIsNamed() {
    assertThatThrownBy(() -> TraceNodes.read(file("sn,cpu\nn1,1\n")))
        .isInstanceOf(TraceFileException.class)
        .hasMessage(
            "t.csv:1: columns 'sn,cpu': there is no column 'cpu_milli'; the first line must name the"
                + " columns, in any order");
  }

  @Test
  void anEmptyFileIsRefused() {
    assertThatThrownBy(() -> TracePods.read(file("")))
        .hasMessage("t.csv: is empty; its first line must name the columns");
  }

  @Test
  void aFileWithoutRowsIsRefused() {
    assertThatThrownBy(() -> TracePods.read(file(PODS)))
        .isInstanceOf(TraceFileException.class)
        .hasMessage("t.csv: holds no pod; give one line for each");
    assertThatThrownBy(() -> TraceNodes.read(file("sn,cpu_milli,memory_mib\n")))
        .hasMessage("t.csv: holds no node; give one line for each");
  }

  @Test
  void aPodsNameIsAnAllocId() {
    assertThatThrownBy(() -> TracePods.read(file(PODS + "p".repeat(257) + ",1,1,LS,Running,9,5\n")))
        .hasMessageContaining("has 257 characters; 253 are allowed");
    assertThatThrownBy(() -> TracePods.read(file(PODS + "p\u0007q,1,1,LS,Running,9,5\n")))
        .hasMessage("t.csv:2: name 'p?q': holds a control character; take it out");
  }

  @Test
  void aPodOfDigitsOnlyIsItsOwnFamily() {
    assertThat(PodName.of("12", 0)).isEqualTo(new PodName(12, "12"));
    assertThat(PodName.of("p-1234", 0)).isEqualTo(new PodName(1234, "p-12"));
  }

  @Test
  void aMissingFileIsRefused() {
    assertThatThrownBy(() -> TracePods.read(Path.of("nowhere.csv")))
        .hasMessage("nowhere.csv: does not exist; give another path");
  }

  @Test
  void anotherContentHasAnotherFingerprint() {
    CsvFile nodes = file("sn,cpu_milli,memory_mib\nn1,1,1\n");

    Trace one = Trace.of(file(PODS + "p0,1,1,LS,Running,8,5\n"), nodes);
    Trace other = Trace.of(file(PODS + "p0,1,1,LS,Running,9,5\n"), nodes);

    assertThat(one.fingerprint()).isNotEqualTo(other.fingerprint()).hasSize(64);
  }

  private static CsvFile file(String content) {
    return new CsvFile("t.csv", content.getBytes(UTF_8));
  }
}
