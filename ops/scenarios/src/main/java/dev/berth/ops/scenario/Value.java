package dev.berth.ops.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A value of a scenario file that knows where it stands. */
sealed interface Value {
  /** File and line (from 1) it begins in. */
  Place place();

  /**
   * Where something stands.
   *
   * @param file name of the file
   * @param line line, from 1
   */
  record Place(String file, int line) {
    ScenarioException problem(String text) {
      return new ScenarioException(file, line, text);
    }

    @Override
    public String toString() {
      return file + ":" + line;
    }
  }

  /**
   * A scalar, as written.
   *
   * @param place where it stands
   * @param text its text; empty for null
   */
  record Text(Place place, String text) implements Value {}

  /**
   * A sequence.
   *
   * @param place where it begins
   * @param items its items
   */
  record Items(Place place, List<Value> items) implements Value {}

  /**
   * A mapping.
   *
   * @param place where it begins
   * @param fields its fields in their order
   */
  record Fields(Place place, Map<String, Value> fields) implements Value {
    Optional<Value> find(String name) {
      return Optional.ofNullable(fields.get(name));
    }

    String text(String name) {
      return find(name)
          .map(Value::asText)
          .orElseThrow(() -> place.problem("field '" + name + "' is missing"));
    }

    Optional<String> optional(String name) {
      return find(name).map(Value::asText);
    }

    String text(String name, String otherwise) {
      return optional(name).orElse(otherwise);
    }

    boolean flag(String name, boolean otherwise) {
      return optional(name)
          .map(
              text -> {
                if (!text.equals("true") && !text.equals("false")) {
                  throw place.problem(
                      "field '" + name + "' is '" + text + "': write true or false");
                }
                return text.equals("true");
              })
          .orElse(otherwise);
    }

    /** Refuses fields that nobody asked for: a typing error must not pass for a check. */
    void allow(String... names) {
      List<String> known = List.of(names);
      fields.forEach(
          (name, value) -> {
            if (!known.contains(name)) {
              throw value
                  .place()
                  .problem("unknown field '" + name + "': known are " + String.join(", ", names));
            }
          });
    }
  }

  default String asText() {
    if (this instanceof Text text) {
      return text.text();
    }
    throw place().problem("a single value is expected here");
  }

  /** Its text, or its fields as a sorted map of texts. */
  default Object asTextOrMap() {
    if (this instanceof Fields fields) {
      Map<String, String> texts = new java.util.TreeMap<>();
      fields.fields().forEach((name, value) -> texts.put(name, value.asText()));
      return texts;
    }
    return asText();
  }

  default List<Value> asItems() {
    if (this instanceof Items items) {
      return items.items();
    }
    throw place().problem("a list is expected here");
  }

  default Fields asFields() {
    if (this instanceof Fields fields) {
      return fields;
    }
    throw place().problem("fields are expected here");
  }

  /** A copy with {@code {i}} replaced in every text and field name. */
  default Value counted(int i) {
    if (this instanceof Text text) {
      return new Text(text.place(), count(text.text(), i));
    }
    if (this instanceof Items items) {
      return new Items(items.place(), items.items().stream().map(item -> item.counted(i)).toList());
    }
    Map<String, Value> counted = new LinkedHashMap<>();
    asFields().fields().forEach((name, value) -> counted.put(count(name, i), value.counted(i)));
    return new Fields(place(), counted);
  }

  private static String count(String text, int i) {
    return text.replace("{i}", Integer.toString(i));
  }
}
