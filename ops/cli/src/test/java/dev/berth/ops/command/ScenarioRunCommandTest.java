package dev.berth.ops.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

class ScenarioRunCommandTest {

  private static final String GOOD =
      """
      id: G1
      title: A claim is granted
      fixture: F0
      steps:
        - claim: {alloc: a1, node: n1, volume: vA, mode: write, access: single-node-writer}
        - expect: {replies: {a1: granted}}
      """;

  /** Line 7 expects what does not happen. */
  private static final String WRONG =
      """
      id: W1
      title: A claim that is <granted> & shown as "waiting"
      fixture: F0
      steps:
        - claim: {alloc: a1, node: n1, volume: vA, mode: write, access: single-node-writer}
        - advance: 90s
        - expect: {replies: {a1: waiting}}
      """;

  private static final String BAD =
      """
      id: B1
      fixture: F0
      steps:
        - claims: {alloc: a1}
      """;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path directory = Path.of(".");

  @Test
  void aScenarioThatPassesIsALine() throws IOException {
    Path good = write("good.yaml", GOOD);

    assertThat(run(good.toString())).isEqualTo(ExitCode.OK);

    assertThat(output(out))
        .containsPattern("(?m)^passed  G1  A claim is granted  \\(.* m?s\\)$")
        .containsPattern("(?m)^1 scenario: 1 passed, 0 failed, in .* m?s$")
        .doesNotContain("claim-history");
  }

  @Test
  void anExpectationThatIsNotMetIsShownWithItsLineAndWhatLedThere() throws IOException {
    Path wrong = write("wrong.yaml", WRONG);

    assertThat(run(wrong.toString())).isEqualTo(ExitCode.FAILED);

    assertThat(output(out).lines().map(String::strip))
        .containsSubsequence(
            wrong + ":7: replies a1",
            "expected waiting",
            "actual   granted",
            "what led there:",
            "+0s      event  alloc-events default/vA: a1 claims it on n1: write,"
                + " single-node-writer (index 1)")
        .anyMatch(line -> line.startsWith("decision claim-history default/vA: on a1 claims it"))
        .anyMatch(line -> line.endsWith("CP vol-a i-1 rw @n1"))
        .anyMatch(line -> line.equals("effect   claim-replies a1: granted"))
        .anyMatch(line -> line.startsWith("1 scenario: 0 passed, 1 failed, in "));
  }

  @Test
  void aFileThatCannotBeUnderstoodKeepsNoOtherFromRunning() throws IOException {
    write("a-bad.yaml", BAD);
    write("b-good.yaml", GOOD);

    assertThat(run(directory.toString())).isEqualTo(ExitCode.USAGE);

    assertThat(output(out))
        .contains(directory.resolve("a-bad.yaml") + ":4: unknown step 'claims': known are volume,")
        .contains("passed  G1")
        .contains("2 scenarios: 1 passed, 0 failed, 1 not understood, in ");
  }

  @Test
  void aFailureCountsMoreThanAFileThatCannotBeUnderstood() throws IOException {
    Path bad = write("bad.yaml", BAD);
    Path wrong = write("wrong.yaml", WRONG);

    assertThat(run(bad.toString(), wrong.toString())).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void jsonHoldsEachScenarioWithItsFailuresAndTheirTraces() throws IOException {
    write("1-bad.yaml", BAD);
    write("2-good.yaml", GOOD);
    Path wrong = write("3-wrong.yaml", WRONG);

    assertThat(run(directory.toString(), "-o", "json")).isEqualTo(ExitCode.FAILED);

    JsonNode json = json();
    assertThat(json.at("/total").asInt()).isEqualTo(3);
    assertThat(json.at("/passed").asInt()).isEqualTo(1);
    assertThat(json.at("/failed").asInt()).isEqualTo(1);
    assertThat(json.at("/errors").asInt()).isEqualTo(1);
    assertThat(json.findValuesAsText("verdict")).containsExactly("error", "passed", "failed");
    assertThat(json.at("/scenarios/0/problems/0/line").asInt()).isEqualTo(4);
    assertThat(json.at("/scenarios/1/failures")).isEmpty();
    assertThat(json.at("/scenarios/1/trace").isMissingNode()).isTrue();
    JsonNode failure = json.at("/scenarios/2/failures/0");
    assertThat(failure.at("/file").asText()).isEqualTo(wrong.toString());
    assertThat(failure.at("/line").asInt()).isEqualTo(7);
    assertThat(failure.at("/what").asText()).isEqualTo("replies a1");
    assertThat(failure.at("/expected").asText()).isEqualTo("waiting");
    assertThat(failure.at("/actual").asText()).isEqualTo("granted");
    assertThat(failure.at("/trace").findValuesAsText("kind"))
        .contains("event", "decision", "effect", "rpc", "answer");
  }

  @Test
  void verboseShowsWhatHappenedAlsoWhenAllWasWell() throws IOException {
    Path good = write("good.yaml", GOOD);

    assertThat(run(good.toString(), "-v")).isEqualTo(ExitCode.OK);

    assertThat(output(out))
        .contains("event  policies default: ")
        .contains("decision claim-history default/vA: on a1 claims it on n1");
  }

  @Test
  void junitXmlHoldsACaseForEachScenario() throws Exception {
    write("1-bad.yaml", BAD);
    write("2-good.yaml", GOOD);
    write("3-wrong.yaml", WRONG);
    Path xml = directory.resolve("reports").resolve("berth.xml");

    assertThat(run(directory.toString(), "--junit", xml.toString())).isEqualTo(ExitCode.FAILED);

    Element suite =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(xml.toFile())
            .getDocumentElement();
    assertThat(suite.getTagName()).isEqualTo("testsuite");
    assertThat(suite.getAttribute("tests")).isEqualTo("3");
    assertThat(suite.getAttribute("failures")).isEqualTo("1");
    assertThat(suite.getAttribute("errors")).isEqualTo("1");
    assertThat(suite.getAttribute("skipped")).isEqualTo("0");
    assertThat(suite.getAttribute("time")).matches("\\d+\\.\\d{3}");
    Element wrong = (Element) suite.getElementsByTagName("testcase").item(2);
    assertThat(wrong.getAttribute("name"))
        .isEqualTo("W1 A claim that is <granted> & shown as \"waiting\"");
    assertThat(wrong.getAttribute("classname")).endsWith("3-wrong.yaml");
    Element failure = (Element) wrong.getElementsByTagName("failure").item(0);
    assertThat(failure.getAttribute("message"))
        .contains("3-wrong.yaml:7: replies a1: expected waiting, actual granted");
    assertThat(failure.getTextContent()).contains("decision claim-history default/vA");
    Element bad = (Element) suite.getElementsByTagName("testcase").item(0);
    assertThat(bad.getElementsByTagName("error").item(0).getTextContent())
        .contains("1-bad.yaml:4: unknown step 'claims'");
  }

  @Test
  void theProductsOwnScenariosRunWhenNoFileIsNamed() throws IOException {
    assertThat(run("--only", "S08", "--only", "*-claim-is-vis", "-o", "json"))
        .isEqualTo(ExitCode.OK);

    assertThat(json().findValuesAsText("id")).containsExactly("S08", "S90");
  }

  @Test
  void aFileThatIsNamedTwiceRunsOnce() throws IOException {
    Path good = write("good.yaml", GOOD);

    assertThat(run(good.toString(), directory.toString())).isEqualTo(ExitCode.OK);

    assertThat(output(out)).contains("1 scenario: 1 passed");
  }

  @Test
  void whatCannotBeFoundIsAUsageError() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));

    assertThat(run("nowhere.yaml")).isEqualTo(ExitCode.USAGE);
    assertThat(run(empty.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(run("--only", "Z99")).isEqualTo(ExitCode.USAGE);
    assertThat(run("--junit", empty.toString())).isEqualTo(ExitCode.USAGE);

    assertThat(output(err).replaceAll("\\s+", " "))
        .contains("berth: nowhere.yaml: there is no such file or folder")
        .contains("empty: the folder holds no scenario: they are files named *.yaml")
        .containsPattern("--only: no name of \\d+ files begins so")
        .contains("--junit: " + empty + " is a folder: name a file");
  }

  private JsonNode json() throws JsonProcessingException {
    return new ObjectMapper().readTree(output(out));
  }

  private int run(String... args) {
    String[] line = new String[args.length + 2];
    line[0] = "scenario";
    line[1] = "run";
    System.arraycopy(args, 0, line, 2, args.length);
    return BerthCommand.run(
        Terminal.plain(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)), line);
  }

  private static String output(ByteArrayOutputStream stream) {
    return stream.toString(UTF_8);
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }
}
