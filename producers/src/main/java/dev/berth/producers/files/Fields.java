package dev.berth.producers.files;

import dev.berth.producers.InvalidEventException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads the fields of a record. What is wrong is noted, and something of the right type is returned
 * in its place, so that the rest is read too. Whatever was not asked for is unknown.
 */
final class Fields {

  /** The field whose texts are never shown. */
  static final String SECRETS = "secrets";

  private static final int SHOWN = 60;

  private final MappingNode record;
  private final Problems problems;
  private final Map<String, Node> values = new LinkedHashMap<>();
  private final Map<String, Integer> lines = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();

  Fields(MappingNode record, Problems problems) {
    this.record = record;
    this.problems = problems;
    for (NodeTuple tuple : record.getValue()) {
      int line = YamlItems.line(tuple.getKeyNode());
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        problems.add(line, "a field's name must be a text");
      } else if (values.put(key.getValue(), tuple.getValueNode()) != null) {
        problems.add(
            line,
            key.getValue()
                + ": stands twice, first in line "
                + lines.get(key.getValue())
                + "; take one out");
      } else {
        lines.put(key.getValue(), line);
      }
    }
  }

  int line() {
    return YamlItems.line(record);
  }

  /** The line of a field, or that of the record where it is missing. */
  int line(String field) {
    return lines.getOrDefault(field, line());
  }

  void wrong(String field, String message) {
    problems.add(line(field), field + ": " + message);
  }

  /** A text that must be there. */
  String required(String field, String remedy, UnaryOperator<String> check) {
    Optional<String> text = text(field, check);
    if (text.isEmpty() && !values.containsKey(field)) {
      wrong(field, "is missing; give " + remedy);
    }
    return text.orElse("?");
  }

  /** A text that may be missing. */
  Optional<String> text(String field, UnaryOperator<String> check) {
    return scalar(field).flatMap(text -> checked(field, text, check));
  }

  /** One of an enumeration. */
  <E extends Enum<E>> Optional<E> symbol(String field, String what, E[] symbols) {
    return scalar(field).flatMap(text -> symbol(field, what, symbols, text));
  }

  /** Some of an enumeration, in a list. */
  <E extends Enum<E>> List<E> symbols(String field, String what, E[] symbols) {
    return texts(field).stream()
        .flatMap(text -> symbol(field, what, symbols, text).stream())
        .toList();
  }

  /** One of an enumeration that must be there. */
  <E extends Enum<E>> E requiredSymbol(String field, String what, E[] symbols) {
    Optional<E> symbol = symbol(field, what, symbols);
    if (symbol.isEmpty() && !values.containsKey(field)) {
      wrong(field, "is missing; give one of " + Symbols.words(symbols));
    }
    return symbol.orElse(symbols[0]);
  }

  boolean flag(String field, boolean otherwise) {
    Optional<String> text = scalar(field);
    if (text.isPresent() && !text.get().equals("true") && !text.get().equals("false")) {
      wrong(field, shown(text.get()) + " is neither true nor false; give one of them");
    }
    return text.map("true"::equals).orElse(otherwise);
  }

  /** A whole number that is not negative. */
  OptionalLong count(String field) {
    Optional<String> text = scalar(field);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      long number = Long.parseLong(text.get());
      if (number >= 0) {
        return OptionalLong.of(number);
      }
    } catch (NumberFormatException e) {
      // Said below, together with negative numbers.
    }
    wrong(field, shown(text.get()) + " is no count; give a whole number, 0 or more");
    return OptionalLong.empty();
  }

  /** Names with texts. Values are kept as they are written, numbers too, and never shown. */
  Map<String, String> map(String field) {
    return take(field).map(node -> map(field, node)).orElse(Map.of());
  }

  /** A list of maps as {@link #map} reads them. */
  List<Map<String, String>> maps(String field) {
    return items(field).stream().map(item -> map(field, item)).toList();
  }

  /** A list of texts; the texts are not shown. */
  List<String> texts(String field) {
    List<String> texts = new ArrayList<>();
    for (Node item : items(field)) {
      if (item instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
        texts.add(scalar.getValue());
      } else {
        problems.add(YamlItems.line(item), field + ": an item is no text; write one text each");
      }
    }
    return texts;
  }

  /** A list of records. */
  <T> List<T> records(String field, Function<Fields, T> reader) {
    List<T> records = new ArrayList<>();
    for (Node item : items(field)) {
      if (item instanceof MappingNode mapping) {
        Fields fields = new Fields(mapping, problems);
        records.add(reader.apply(fields));
        fields.done();
      } else {
        problems.add(YamlItems.line(item), field + ": an item is no record; write its fields");
      }
    }
    return records;
  }

  /** Lets fields be there that are not read. */
  void ignore(Set<String> fields) {
    known.addAll(fields);
  }

  /** After all fields were asked for: what is left is unknown. */
  void done() {
    for (String field : values.keySet()) {
      if (!known.contains(field)) {
        wrong(field, "is no field here; known are " + String.join(", ", known));
      }
    }
  }

  /** A text as errors show it. */
  static String shown(String text) {
    String cut = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    return '"' + cut.replaceAll("\\p{Cntrl}", "?") + '"';
  }

  private <E extends Enum<E>> Optional<E> symbol(
      String field, String what, E[] symbols, String text) {
    Optional<E> symbol = Symbols.find(text, symbols);
    if (symbol.isEmpty()) {
      wrong(
          field,
          "%s is not %s; give one of %s".formatted(shown(text), what, Symbols.words(symbols)));
    }
    return symbol;
  }

  private Optional<String> checked(String field, String text, UnaryOperator<String> check) {
    try {
      return Optional.of(check.apply(text));
    } catch (InvalidEventException e) {
      wrong(field, e.detail());
      return Optional.empty();
    }
  }

  private Optional<String> scalar(String field) {
    Optional<Node> node = take(field);
    if (node.isEmpty()) {
      return Optional.empty();
    }
    if (!(node.get() instanceof ScalarNode scalar)) {
      wrong(field, "must be a single value, not a list or fields; write field: value");
      return Optional.empty();
    }
    if (scalar.getTag().equals(Tag.NULL) || scalar.getValue().isEmpty()) {
      wrong(field, "is empty; give a value or take the field out");
      return Optional.empty();
    }
    return Optional.of(scalar.getValue());
  }

  private Map<String, String> map(String field, Node node) {
    if (!(node instanceof MappingNode mapping)) {
      problems.add(YamlItems.line(node), field + ": must be names with values, such as {a: b}");
      return Map.of();
    }
    Map<String, String> map = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      int line = YamlItems.line(tuple.getKeyNode());
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        problems.add(line, field + ": a name must be a text");
      } else if (!(tuple.getValueNode() instanceof ScalarNode value)) {
        problems.add(line, field + "." + key.getValue() + ": must be a single value");
      } else if (value.getTag().equals(Tag.NULL)) {
        problems.add(line, empty(field, key.getValue()));
      } else if (map.put(key.getValue(), value.getValue()) != null) {
        problems.add(line, field + "." + key.getValue() + ": stands twice; take one out");
      } else {
        lines.put(field + "." + key.getValue(), line);
      }
    }
    return map;
  }

  private static String empty(String field, String name) {
    // There a name without a value may be the secret itself.
    return field.equals(SECRETS)
        ? field + ": a name has no value; write {name: \"${provider:…}\"}"
        : field + "." + name + ": is empty; write \"\" for an empty text";
  }

  private List<Node> items(String field) {
    Optional<Node> node = take(field);
    if (node.isEmpty()) {
      return List.of();
    }
    if (node.get() instanceof SequenceNode sequence) {
      return sequence.getValue();
    }
    wrong(field, "must be a list, such as [a, b]");
    return List.of();
  }

  private Optional<Node> take(String field) {
    known.add(field);
    return Optional.ofNullable(values.get(field));
  }
}
