package dev.berth.ops.scenario;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What a value of a scenario file may be. Shapes are put together in {@link Grammar}. */
interface Shape {
  /**
   * Says what keeps a value from having this shape.
   *
   * @param value the value
   * @param what its name, for the message
   * @param problems where to
   */
  void check(Value value, String what, Problems problems);

  // ---- single values

  /** Any text. */
  static Shape text() {
    return text(any -> true, "a text");
  }

  /** A text that says something. */
  static Shape name() {
    return text(text -> !text.isBlank(), "a name");
  }

  /** One of these words. */
  static Shape word(Collection<String> words) {
    return text(words::contains, "one of " + String.join(", ", words));
  }

  /** One of the symbols of a type, as scenario files write them, but for some. */
  static <E extends Enum<E>> Shape word(Class<E> type, String... but) {
    return word(words(type, but));
  }

  /** The symbols of a type, as scenario files write them, but for some. */
  static <E extends Enum<E>> List<String> words(Class<E> type, String... but) {
    Set<String> left = Set.of(but);
    return Arrays.stream(type.getEnumConstants())
        .map(symbol -> symbol.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .filter(word -> !left.contains(word))
        .toList();
  }

  /** One of these words, or nothing. */
  static Shape wordOrNone(Collection<String> words) {
    return text(
        text -> text.isEmpty() || words.contains(text), "one of " + String.join(", ", words));
  }

  /** A whole number. */
  static Shape whole(long least) {
    return text(
        text -> text.matches("\\d{1,18}") && Long.parseLong(text) >= least,
        "a whole number, " + least + " or more");
  }

  /** Yes or no. */
  static Shape flag() {
    return text(Set.of("true", "false")::contains, "true or false");
  }

  /** A duration. */
  static Shape duration() {
    return text(text -> Durations.find(text).isPresent(), Durations.FORM);
  }

  /** A single value that is good. */
  static Shape text(Predicate<String> good, String form) {
    return (value, what, problems) -> {
      if (!(value instanceof Value.Text text)) {
        problems.add(value.place(), what + ": a single value is expected here: write " + form);
      } else if (!good.test(text.text())) {
        problems.add(value.place(), what + " is '" + text.text() + "': write " + form);
      }
    };
  }

  // ---- others

  /** A list of values of one shape. */
  static Shape list(Shape item) {
    return (value, what, problems) -> {
      if (value instanceof Value.Items items) {
        items.items().forEach(each -> item.check(each, what, problems));
      } else {
        problems.add(value.place(), what + ": a list is expected here: write [...]");
      }
    };
  }

  /** Names of the file's own choice, each with a value of one shape. */
  static Shape map(Shape of) {
    return map(name(), of);
  }

  /** The same where the names have a shape too. */
  static Shape map(Shape name, Shape of) {
    return (value, what, problems) -> {
      if (value instanceof Value.Fields fields) {
        fields
            .fields()
            .forEach(
                (key, inner) -> {
                  name.check(new Value.Text(fields.key(key), key), "name in " + what, problems);
                  of.check(inner, what + " " + key, problems);
                });
      } else {
        problems.add(value.place(), what + ": names with values are expected here: write {...}");
      }
    };
  }

  /** A single value or something with fields. */
  static Shape either(Shape single, Shape fields) {
    return (value, what, problems) ->
        (value instanceof Value.Text ? single : fields).check(value, what, problems);
  }

  /** Fields with names that are fixed; begin with none. */
  static Named fields() {
    return new Named(Map.of());
  }

  /**
   * Fields with names that are fixed. Others are problems: a typing error must not pass for a
   * check.
   *
   * @param known shape and need of each field
   */
  record Named(Map<String, Field> known) implements Shape {
    /**
     * One field.
     *
     * @param shape shape of its value
     * @param needed whether it must be there
     */
    record Field(Shape shape, boolean needed) {}

    /** With a field that must be there. */
    Named need(String name, Shape shape) {
      return with(name, new Field(shape, true));
    }

    /** With a field that may be there. */
    Named may(String name, Shape shape) {
      return with(name, new Field(shape, false));
    }

    private Named with(String name, Field field) {
      Map<String, Field> more = new LinkedHashMap<>(known);
      more.put(name, field);
      return new Named(more);
    }

    @Override
    public void check(Value value, String what, Problems problems) {
      if (!(value instanceof Value.Fields fields)) {
        problems.add(value.place(), what + ": fields are expected here: write {...}");
        return;
      }
      fields
          .fields()
          .forEach(
              (name, inner) -> {
                Field field = known.get(name);
                if (field == null) {
                  problems.add(
                      fields.key(name),
                      what
                          + ": unknown field '"
                          + name
                          + "': known are "
                          + String.join(", ", known.keySet()));
                } else {
                  field.shape().check(inner, what + " " + name, problems);
                }
              });
      known.forEach(
          (name, field) -> {
            if (field.needed() && fields.find(name).isEmpty()) {
              problems.add(fields.place(), what + ": field '" + name + "' is missing");
            }
          });
    }
  }
}
