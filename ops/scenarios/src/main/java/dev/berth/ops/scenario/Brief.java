package dev.berth.ops.scenario;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Any record in a line: its name, and those of its fields that say something. */
final class Brief {
  private Brief() {}

  static String of(IndexedRecord record) {
    List<String> fields = new ArrayList<>();
    for (Schema.Field field : record.getSchema().getFields()) {
      Object value = record.get(field.pos());
      if (says(value)) {
        fields.add(field.name() + " " + value(value));
      }
    }
    String name = record.getSchema().getName();
    return fields.isEmpty() ? name : name + " {" + String.join(", ", fields) + "}";
  }

  /** Moments are those of a clock that nobody else has. */
  private static boolean says(@Nullable Object value) {
    return value != null
        && !(value instanceof Instant)
        && !value.equals("")
        && !value.equals(false)
        && !value.equals(0)
        && !value.equals(0L)
        && !(value instanceof Collection<?> items && items.isEmpty())
        && !(value instanceof Map<?, ?> map && map.isEmpty());
  }

  private static String value(@Nullable Object value) {
    if (value instanceof IndexedRecord record) {
      return of(record);
    } else if (value instanceof Collection<?> items) {
      StringJoiner texts = new StringJoiner(", ", "[", "]");
      items.forEach(item -> texts.add(value(item)));
      return texts.toString();
    } else if (value instanceof Enum<?> symbol) {
      return Words.of(symbol);
    }
    return String.valueOf(value);
  }
}
