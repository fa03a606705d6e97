package dev.berth.ops.scenario;

import dev.berth.records.Policy;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.policy.NamedPolicy;
import dev.berth.streams.policy.PolicyCheck;
import dev.berth.streams.policy.PolicyScope;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The policies of a scenario, as an operator writes them. */
final class Settings {
  private static final Shape NARROWER =
      Shape.fields()
          .may("plugin", Shape.name())
          .may("volume", Shape.name())
          .may("namespace", Shape.name())
          .need("settings", (value, what, problems) -> {});

  private Settings() {}

  // ---- what stands in a file

  /** Says what of the settings at the head of a file cannot be understood. */
  static void check(Value settings, Problems problems) {
    Map<String, Value> flat = new LinkedHashMap<>();
    Problems found = new Problems();
    flatten("policy", "", settings, flat, found);
    flat.forEach(
        (key, value) ->
            PolicyCheck.problems(byDefault(Map.of(key, value.asText())))
                .forEach(problem -> found.add(value.place(), problem.text())));
    if (found.isEmpty()) {
      // What one setting means for another.
      PolicyCheck.problems(byDefault(texts(flat)))
          .forEach(problem -> found.add(settings.place(), problem.text()));
    }
    problems.addAll(found);
  }

  private static NamedPolicy byDefault(Map<String, String> settings) {
    return new NamedPolicy(PolicyScope.DEFAULT_NAME, settings, "", "", Instant.EPOCH);
  }

  /**
   * The same for a step {@code policy}. What the product would refuse may stand there: an operator
   * may write it, and a file shows what becomes of it.
   */
  static void checkNarrower(Value value, String what, Problems problems) {
    NARROWER.check(value, what, problems);
    if (!(value instanceof Value.Fields f)) {
      return;
    }
    if (f.find("plugin").isPresent() == f.find("volume").isPresent()
        || (f.find("plugin").isPresent() && f.find("namespace").isPresent())) {
      problems.add(f.place(), what + ": give either a plugin, or a volume and its namespace");
    } else {
      f.find("settings")
          .ifPresent(
              settings ->
                  flatten(what + " settings", "", settings, new LinkedHashMap<>(), problems));
    }
  }

  /** Writes nested settings under their whole keys: {@code backoff.first}. */
  private static void flatten(
      String what, String prefix, Value value, Map<String, Value> into, Problems problems) {
    if (value instanceof Value.Fields fields) {
      fields
          .fields()
          .forEach(
              (name, inner) ->
                  flatten(
                      what + " " + name,
                      prefix.isEmpty() ? name : prefix + "." + name,
                      inner,
                      into,
                      problems));
    } else if (prefix.isEmpty() || value instanceof Value.Items) {
      problems.add(value.place(), what + ": settings with values are expected here: write {...}");
    } else {
      into.put(prefix, value);
    }
  }

  private static Map<String, String> texts(Map<String, Value> settings) {
    Map<String, String> texts = new LinkedHashMap<>();
    settings.forEach((key, value) -> texts.put(key, value.asText()));
    return texts;
  }

  /** Settings, checked before, under their whole keys. */
  static Map<String, String> read(Value settings) {
    Map<String, Value> flat = new LinkedHashMap<>();
    flatten("", "", settings, flat, new Problems());
    return texts(flat);
  }

  private static String narrowerName(Value.Fields f) {
    return f.optional("plugin")
        .map(PolicyScope::ofPlugin)
        .orElseGet(
            () -> PolicyScope.ofVolume(f.text("namespace", "default") + "/" + f.text("volume")));
  }

  // ---- what it does

  /** Sets those that hold for everything: those of FORMAT.md, and the file's own. */
  static void ofScenario(World world, Map<String, String> own) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("backoff.jitter", "0");
    all.put("settle-margin", "0s");
    all.put("run", "1");
    all.putAll(own);
    write(world, PolicyScope.DEFAULT_NAME, all);
  }

  /** Sets those of one plugin or one volume. */
  static void narrower(World world, Value.Fields f) {
    write(world, narrowerName(f), read(f.get("settings")));
  }

  private static void write(World world, String name, Map<String, String> settings) {
    world.write(Topic.POLICIES, name, new Policy(name, settings, "scenario", "", world.now()));
  }
}
