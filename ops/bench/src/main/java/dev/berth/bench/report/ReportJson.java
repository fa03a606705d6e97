package dev.berth.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.bench.machine.Environment;
import dev.berth.bench.measure.Measure;
import dev.berth.bench.measure.Repetition;
import dev.berth.bench.measure.Spread;

/** A report for programs: every repetition, so that another reader can judge anew. */
public final class ReportJson {
  private final ObjectMapper mapper;

  private ReportJson(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  /** The report as a JSON tree. */
  public static ObjectNode of(Report report, ObjectMapper mapper) {
    return new ReportJson(mapper).report(report);
  }

  private ObjectNode report(Report report) {
    ObjectNode json = mapper.createObjectNode();
    json.set("environment", environment(report.environment()));
    json.put("quick", report.quick());
    json.put("goalsMet", report.goalsMet());
    ArrayNode sections = json.putArray("sections");
    report.sections().forEach(section -> sections.add(section(section)));
    return json;
  }

  private ObjectNode environment(Environment environment) {
    ObjectNode json = mapper.createObjectNode();
    json.put("at", environment.at().toString());
    json.put("berth", environment.berth());
    json.put("commit", environment.commit());
    json.put("kafka", environment.kafka());
    json.put("java", environment.java());
    ArrayNode options = json.putArray("options");
    environment.options().forEach(options::add);
    json.put("system", environment.system());
    json.put("processor", environment.processor());
    json.put("cores", environment.cores());
    json.put("memoryMib", environment.memoryMib());
    return json;
  }

  private ObjectNode section(Section section) {
    ObjectNode json = mapper.createObjectNode();
    json.put("bench", section.bench());
    json.put("about", section.about());
    ObjectNode settings = json.putObject("settings");
    section.settings().forEach(settings::put);
    ArrayNode measures = json.putArray("measures");
    section.measures().forEach(measure -> measures.add(measure(measure)));
    ArrayNode goals = json.putArray("goals");
    section.goals().forEach(goal -> goals.add(goal(goal)));
    ArrayNode plots = json.putArray("plots");
    section.plots().forEach(plot -> plots.add(plot.file()));
    ArrayNode notes = json.putArray("notes");
    section.notes().forEach(notes::add);
    json.put("seconds", section.took().toMillis() / 1000.0);
    return json;
  }

  private ObjectNode measure(Measure measure) {
    ObjectNode json = mapper.createObjectNode();
    json.put("name", measure.name());
    json.put("unit", measure.unit());
    Spread spread = measure.spread();
    json.put("median", spread.median());
    json.put("min", spread.min());
    json.put("max", spread.max());
    json.put("deviation", spread.deviation());
    ArrayNode repetitions = json.putArray("repetitions");
    for (Repetition repetition : measure.repetitions()) {
      ObjectNode one = repetitions.addObject();
      one.put("value", repetition.value());
      one.put("foreign", repetition.foreign());
    }
    return json;
  }

  private ObjectNode goal(Goal goal) {
    ObjectNode json = mapper.createObjectNode();
    json.put("name", goal.name());
    json.put("bound", goal.bound().text().replace(" ", "-"));
    json.put("limit", goal.limit());
    json.put("found", goal.found());
    json.put("unit", goal.unit());
    json.put("met", goal.met());
    return json;
  }
}
