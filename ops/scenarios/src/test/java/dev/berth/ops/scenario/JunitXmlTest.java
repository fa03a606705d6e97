package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class JunitXmlTest {

  @Test
  void anyTextIsReadBackAsItWasButForWhatXmlCannotHold() throws Exception {
    Failure failure =
        new Failure("a.yaml", 7, "rpcs", "<&>\"'", "]]> \u0001\uD83D\uDE00\uD83D", List.of());
    ScenarioReport report =
        new ScenarioReport(
            "a.yaml",
            "A1",
            "x < y & \"z\"",
            List.of(),
            List.of(),
            List.of(failure),
            List.of(),
            Duration.ofMillis(1_234));

    String xml = JunitXml.of(List.of(report), Duration.ofSeconds(2));

    Element suite =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(xml)))
            .getDocumentElement();
    Element test = (Element) suite.getElementsByTagName("testcase").item(0);
    Element told = (Element) test.getElementsByTagName("failure").item(0);
    assertThat(suite.getAttribute("time")).isEqualTo("2.000");
    assertThat(test.getAttribute("name")).isEqualTo("A1 x < y & \"z\"");
    assertThat(test.getAttribute("time")).isEqualTo("1.234");
    assertThat(told.getTextContent())
        .isEqualTo(
            "a.yaml:7: rpcs\n    expected <&>\"'\n    actual   ]]> \uFFFD\uD83D\uDE00\uFFFD");
  }

  @Test
  void nothingRunIsAnEmptySuite() {
    assertThat(JunitXml.of(List.of(), Duration.ZERO))
        .contains("<testsuite name=\"berth scenarios\" time=\"0.000\" tests=\"0\" errors=\"0\"");
  }
}
