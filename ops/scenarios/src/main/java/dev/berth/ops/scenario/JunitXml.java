package dev.berth.ops.scenario;

import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Reports in the XML that Surefire writes for JUnit and build servers read: a suite of cases. */
public final class JunitXml {
  private static final String SUITE = "berth scenarios";

  /** A character that no XML 1.0 document may hold, not even escaped. */
  private static final String FORBIDDEN =
      "[^\\x09\\x0A\\x0D\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]";

  private final XMLStreamWriter xml;

  private JunitXml(XMLStreamWriter xml) {
    this.xml = xml;
  }

  /**
   * The document.
   *
   * @param reports what became of each scenario
   * @param took real time that all took together
   */
  public static String of(List<ScenarioReport> reports, Duration took) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
      new JunitXml(xml).suite(reports, took);
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("XML could not be written to memory", e);
    }
    return text.toString();
  }

  private void suite(List<ScenarioReport> reports, Duration took) throws XMLStreamException {
    xml.writeStartDocument("UTF-8", "1.0");
    xml.writeCharacters("\n");
    xml.writeStartElement("testsuite");
    attribute("name", SUITE);
    attribute("time", seconds(took));
    attribute("tests", Integer.toString(reports.size()));
    attribute("errors", count(reports, ScenarioReport.Verdict.ERROR));
    attribute("skipped", count(reports, ScenarioReport.Verdict.NOT_LIVE));
    attribute("failures", count(reports, ScenarioReport.Verdict.FAILED));
    for (ScenarioReport report : reports) {
      xml.writeCharacters("\n  ");
      test(report);
    }
    xml.writeCharacters("\n");
    xml.writeEndElement();
    xml.writeCharacters("\n");
    xml.writeEndDocument();
  }

  private void test(ScenarioReport report) throws XMLStreamException {
    xml.writeStartElement("testcase");
    attribute("name", (report.id() + " " + report.title()).strip());
    attribute("classname", report.file());
    attribute("time", seconds(report.took()));
    if (!report.problems().isEmpty()) {
      verdict(
          "error",
          "not-understood",
          report.problems().get(0).toString(),
          report.problems().stream().map(Problem::toString).collect(Collectors.joining("\n")));
    } else if (!report.notLive().isEmpty()) {
      xml.writeEmptyElement("skipped");
      attribute("message", "cannot run live: " + report.notLive().get(0));
    } else if (!report.failures().isEmpty()) {
      Failure first = report.failures().get(0);
      verdict(
          "failure",
          "expectation",
          "%s:%d: %s: expected %s, actual %s"
              .formatted(
                  first.file(), first.line(), first.what(), first.expected(), first.actual()),
          report.failures().stream().map(Failure::toString).collect(Collectors.joining("\n\n")));
    }
    xml.writeEndElement();
  }

  private void verdict(String element, String type, String message, String text)
      throws XMLStreamException {
    xml.writeStartElement(element);
    attribute("message", message);
    attribute("type", type);
    xml.writeCharacters(legal(text));
    xml.writeEndElement();
  }

  private void attribute(String name, String value) throws XMLStreamException {
    xml.writeAttribute(name, legal(value));
  }

  private static String legal(String text) {
    return text.replaceAll(FORBIDDEN, "\uFFFD");
  }

  private static String count(List<ScenarioReport> reports, ScenarioReport.Verdict verdict) {
    return Long.toString(reports.stream().filter(it -> it.verdict() == verdict).count());
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.3f", duration.toMillis() / 1000.0);
  }
}
