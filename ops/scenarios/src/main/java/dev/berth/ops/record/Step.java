package dev.berth.ops.record;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A step of a scenario.
 *
 * @param kind its name
 * @param body its fields, or its single value
 */
record Step(String kind, Object body) {

  /** A step of fields; begin with none. */
  static Step of(String kind) {
    return new Step(kind, new LinkedHashMap<String, Object>());
  }

  /** With a field, unless its value is null. */
  Step with(String field, @Nullable Object value) {
    if (value != null) {
      Map<String, Object> fields = new LinkedHashMap<>(fields());
      fields.put(field, value);
      return new Step(kind, fields);
    }
    return this;
  }

  /** With a field unless it says what is meant without it. */
  Step unless(Object meant, String field, Object value) {
    return value.equals(meant) ? this : with(field, value);
  }

  Step with(String field, Optional<?> value) {
    return with(field, (Object) value.orElse(null));
  }

  /** Its fields; empty when it has a single value. */
  @SuppressWarnings("unchecked")
  Map<String, Object> fields() {
    return body instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  /** How a file has it. */
  String text() {
    return "  - " + kind + ": " + Flow.text(body);
  }
}
