package dev.berth.ops.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A scenario as read: one step after another, repeats written out.
 *
 * @param id id, also the beginning of the file name
 * @param title what it shows
 * @param file name of the file
 * @param policy policy settings by key
 * @param manual whether every RPC waits for an {@code answer}
 * @param steps the steps, those of the fixture first
 */
public record Scenario(
    String id,
    String title,
    String file,
    Map<String, String> policy,
    boolean manual,
    List<Step> steps) {

  /**
   * One step.
   *
   * @param kind its name, such as {@code claim}
   * @param place where it stands
   * @param body its fields
   */
  record Step(String kind, Value.Place place, Value body) {}

  /**
   * Reads a scenario.
   *
   * @param file name of the file, for messages
   * @param text its text
   * @param fixtures text of a fixture by its name
   * @throws ScenarioException when the file cannot be understood
   */
  public static Scenario read(String file, String text, Function<String, String> fixtures) {
    Value.Fields root = YamlReader.read(file, text);
    root.allow("id", "title", "fixture", "policy", "answers", "steps");
    List<Step> steps = new ArrayList<>();
    root.optional("fixture")
        .ifPresent(
            name -> {
              Value.Fields fixture =
                  YamlReader.read("fixtures/" + name + ".yaml", fixtures.apply(name));
              fixture.allow("id", "title", "steps");
              fixture.find("steps").ifPresent(all -> add(all, steps));
            });
    root.find("steps").ifPresent(all -> add(all, steps));
    String answers = root.text("answers", "auto");
    if (!answers.equals("auto") && !answers.equals("manual")) {
      throw root.place().problem("answers is '" + answers + "': write auto or manual");
    }
    Map<String, String> policy = new LinkedHashMap<>();
    root.find("policy").ifPresent(settings -> flatten("", settings, policy));
    return new Scenario(
        root.text("id"), root.text("title", ""), file, policy, answers.equals("manual"), steps);
  }

  /** Writes nested settings under their whole keys: {@code backoff.first}. */
  static void flatten(String prefix, Value value, Map<String, String> into) {
    if (value instanceof Value.Fields fields) {
      fields
          .fields()
          .forEach(
              (name, inner) -> flatten(prefix.isEmpty() ? name : prefix + "." + name, inner, into));
    } else {
      into.put(prefix, value.asText());
    }
  }

  private static void add(Value steps, List<Step> into) {
    for (Value item : steps.asItems()) {
      Value.Fields step = item.asFields();
      if (step.fields().size() != 1) {
        throw step.place().problem("a step has exactly one name");
      }
      Map.Entry<String, Value> only = step.fields().entrySet().iterator().next();
      if (only.getKey().equals("repeat")) {
        repeat(only.getValue().asFields(), into);
      } else {
        into.add(new Step(only.getKey(), step.place(), only.getValue()));
      }
    }
  }

  private static void repeat(Value.Fields repeat, List<Step> into) {
    repeat.allow("times", "steps");
    int times = Integer.parseInt(repeat.text("times"));
    Value steps =
        repeat.find("steps").orElseThrow(() -> repeat.place().problem("repeat has no steps"));
    for (int i = 1; i <= times; i++) {
      add(steps.counted(i), into);
    }
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
}
