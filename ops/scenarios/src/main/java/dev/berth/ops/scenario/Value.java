package dev.berth.ops.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

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
  record Text(Place place, String text) implements Value {
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * A sequence.
   *
   * @param place where it begins
   * @param items its items
   */
  record Items(Place place, List<Value> items) implements Value {
    @Override
    public String toString() {
      return items.toString();
    }
  }

  /**
   * A mapping.
   *
   * @param place where it begins
   * @param fields its fields in their order
   * @param keys where the name of each field stands
   */
  record Fields(Place place, Map<String, Value> fields, Map<String, Place> keys) implements Value {
    Optional<Value> find(String name) {
      return Optional.ofNullable(fields.get(name));
    }

    /** A field that the grammar demands. */
    Value get(String name) {
      return find(name).orElseThrow(() -> place.problem("field '" + name + "' is missing"));
    }

    String text(String name) {
      return get(name).asText();
    }

    Optional<String> optional(String name) {
      return find(name).map(Value::asText);
    }

    String text(String name, String otherwise) {
      return optional(name).orElse(otherwise);
    }

    boolean flag(String name, boolean otherwise) {
      return optional(name).map(Boolean::parseBoolean).orElse(otherwise);
    }

    /** Where a field's name stands. */
    Place key(String name) {
      return keys.getOrDefault(name, place);
    }

    @Override
    public String toString() {
      return fields.entrySet().stream()
          .map(field -> field.getKey() + ": " + field.getValue())
          .collect(Collectors.joining(", ", "{", "}"));
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
    return this instanceof Fields fields ? new TreeMap<>(fields.asTexts()) : asText();
  }

  /** Its fields as texts, in their order. */
  default Map<String, String> asTexts() {
    Map<String, String> texts = new LinkedHashMap<>();
    asFields().fields().forEach((name, value) -> texts.put(name, value.asText()));
    return texts;
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
    Fields fields = asFields();
    Map<String, Value> counted = new LinkedHashMap<>();
    Map<String, Place> keys = new LinkedHashMap<>();
    fields
        .fields()
        .forEach(
            (name, value) -> {
              counted.put(count(name, i), value.counted(i));
              keys.put(count(name, i), fields.key(name));
            });
    return new Fields(place(), counted, keys);
  }

  private static String count(String text, int i) {
    return text.replace("{i}", Integer.toString(i));
  }
}
