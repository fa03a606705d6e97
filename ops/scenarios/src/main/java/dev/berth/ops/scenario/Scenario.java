package dev.berth.ops.scenario;

import dev.berth.records.PluginRole;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A scenario as read: one step after another, repeats written out.
 *
 * @param id id, also the beginning of the file name
 * @param title what it shows
 * @param file the file, as it was named
 * @param policy policy settings by key
 * @param manual whether every RPC waits for an {@code answer}
 * @param steps the steps, those of the fixture first; at least one
 */
public record Scenario(
    String id,
    String title,
    String file,
    Map<String, String> policy,
    boolean manual,
    List<Step> steps) {

  /** The step that is written out on reading. */
  static final String REPEAT = "repeat";

  private static final int MOST_ROUNDS = 100_000;

  private static final Shape.Named FIXTURE =
      Shape.fields()
          .may("id", Shape.name())
          .may("title", Shape.text())
          .need("steps", Shape.list((value, what, problems) -> {}));

  private static final Shape.Named ROOT =
      Shape.fields()
          .need("id", Shape.name())
          .may("title", Shape.text())
          .may("fixture", Shape.name())
          .may("policy", (value, what, problems) -> {})
          .may("answers", Shape.word(List.of("auto", "manual")))
          .need("steps", Shape.list((value, what, problems) -> {}));

  private static final Shape.Named ROUNDS =
      Shape.fields()
          .need(
              "times",
              Shape.text(
                  text -> text.matches("[1-9]\\d{0,5}") && Integer.parseInt(text) <= MOST_ROUNDS,
                  "a whole number, 1 to " + MOST_ROUNDS))
          .need("steps", Shape.list((value, what, problems) -> {}));

  /**
   * One step.
   *
   * @param kind its name, such as {@code claim}
   * @param place where it stands
   * @param body its fields
   */
  record Step(String kind, Value.Place place, Value body) {}

  /** Where the worlds come from that scenarios begin with. */
  @FunctionalInterface
  public interface Fixtures {
    /** The fixture of a name; empty when there is none. */
    Optional<Fixture> find(String name);
  }

  /**
   * A fixture as it is written.
   *
   * @param file the file, as it was named
   * @param text its text
   */
  public record Fixture(String file, String text) {}

  /**
   * Reads a scenario.
   *
   * @param file the file, as it was named
   * @param text its text
   * @param fixtures where its fixture is found
   * @throws ScenarioException with everything in it that cannot be understood
   */
  public static Scenario read(String file, String text, Fixtures fixtures) {
    Value.Fields root = YamlReader.read(file, text);
    Problems problems = new Problems();
    ROOT.check(root, "scenario", problems);
    List<Step> steps = new ArrayList<>();
    root.find("fixture").ifPresent(name -> fixture(name, fixtures, steps, problems));
    int given = steps.size();
    root.find("steps").ifPresent(all -> add(all, steps, problems));
    if (steps.size() == given) {
      problems.add(root.place(), "scenario: there is no step: give at least one");
    }
    steps.forEach(step -> Grammar.check(step, problems));
    root.find("policy").ifPresent(settings -> Settings.check(settings, problems));
    problems.refuse();
    Names.check(steps, problems);
    problems.refuse();
    return new Scenario(
        root.text("id"),
        root.text("title", ""),
        file,
        root.find("policy").map(Settings::read).orElse(Map.of()),
        root.text("answers", "auto").equals("manual"),
        steps);
  }

  private static void fixture(Value name, Fixtures fixtures, List<Step> into, Problems problems) {
    if (!(name instanceof Value.Text text)) {
      return;
    }
    Optional<Fixture> found = fixtures.find(text.text());
    if (found.isEmpty()) {
      problems.add(
          text.place(),
          "there is no fixture '"
              + text
              + "': put it into fixtures/"
              + text
              + ".yaml beside the file");
      return;
    }
    Value.Fields root = YamlReader.read(found.get().file(), found.get().text());
    FIXTURE.check(root, "fixture", problems);
    root.find("steps").ifPresent(all -> add(all, into, problems));
  }

  private static void add(Value steps, List<Step> into, Problems problems) {
    if (!(steps instanceof Value.Items items)) {
      return;
    }
    for (Value item : items.items()) {
      if (!(item instanceof Value.Fields step) || step.fields().size() != 1) {
        problems.add(item.place(), "a step has exactly one name: write '- name: {...}'");
        continue;
      }
      Map.Entry<String, Value> only = step.fields().entrySet().iterator().next();
      if (only.getKey().equals(REPEAT)) {
        repeat(only.getValue(), into, problems);
      } else {
        into.add(new Step(only.getKey(), step.place(), only.getValue()));
      }
    }
  }

  private static void repeat(Value body, List<Step> into, Problems problems) {
    Problems own = new Problems();
    ROUNDS.check(body, REPEAT, own);
    if (!own.isEmpty()) {
      problems.addAll(own);
      return;
    }
    Value.Fields repeat = body.asFields();
    int times = Integer.parseInt(repeat.text("times"));
    for (int i = 1; i <= times; i++) {
      add(repeat.get("steps").counted(i), into, problems);
    }
  }

  /** The same with other policies and steps. */
  Scenario with(Map<String, String> otherPolicy, List<Step> otherSteps) {
    return new Scenario(id, title, file, otherPolicy, manual, otherSteps);
  }

  /** The plugin instances that the steps name. */
  Set<LiveSystem.Instance> instances() {
    Set<LiveSystem.Instance> instances = new LinkedHashSet<>();
    for (Step step : steps) {
      if (step.kind().equals("plugin")) {
        Value.Fields f = step.body().asFields();
        instances.add(
            new LiveSystem.Instance(
                f.text("id"), Words.symbol(PluginRole.class, f.text("role")), f.text("node")));
      }
    }
    return instances;
  }

  /**
   * Volumes that any step names for an alloc, as namespace/volume: its statements reach all of
   * them.
   */
  Map<String, Set<String>> volumesByAlloc() {
    Map<String, Set<String>> volumes = new LinkedHashMap<>();
    for (Step step : steps) {
      if (Set.of("claim", "unmounted", "unmount-failed").contains(step.kind())) {
        Value.Fields fields = step.body().asFields();
        String volume = fields.text("namespace", "default") + "/" + fields.text("volume");
        volumes.computeIfAbsent(fields.text("alloc"), alloc -> new LinkedHashSet<>()).add(volume);
      }
    }
    return volumes;
  }

  /** Nodes that any step places an alloc on. */
  Map<String, Set<String>> nodesByAlloc() {
    Map<String, Set<String>> nodes = new LinkedHashMap<>();
    for (Step step : steps) {
      if (step.kind().equals("claim")) {
        Value.Fields fields = step.body().asFields();
        nodes
            .computeIfAbsent(fields.text("alloc"), alloc -> new LinkedHashSet<>())
            .add(fields.text("node"));
      }
    }
    return nodes;
  }

  /** The volumes, as namespace/volume, that the steps register under an external id. */
  Map<String, Set<String>> volumesByExternalId() {
    Map<String, Set<String>> volumes = new LinkedHashMap<>();
    for (Step step : steps) {
      if (step.kind().equals("volume")) {
        Value.Fields fields = step.body().asFields();
        volumes
            .computeIfAbsent(fields.text("external"), external -> new LinkedHashSet<>())
            .add(fields.text("namespace", "default") + "/" + fields.text("id"));
      }
    }
    return volumes;
  }
}
