package dev.berth.bench.core;

import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.Table;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Copies of rows under another name: a hundred thousand volumes, each brought to where it is by
 * decisions, would take longer than what is measured beside them.
 */
final class Renaming {
  private final String from;
  private final Map<Class<?>, Shape> shapes = new HashMap<>();

  private record Shape(List<RecordComponent> components, Constructor<?> constructor) {}

  /** Renames everything that has this in its name. */
  Renaming(String from) {
    this.from = from;
  }

  /** The rows of these tables, with another name wherever the first one stands. */
  MapState renamed(MapState rows, List<Table<?>> tables, String to) {
    MapState copies = new MapState();
    tables.forEach(table -> copy(rows, table, to, copies));
    return copies;
  }

  private <V> void copy(MapState rows, Table<V> table, String to, MapState copies) {
    rows.scan(table, "")
        .forEach(
            row ->
                copies.apply(
                    new Change.Put<>(
                        table,
                        row.key().replace(from, to),
                        table.type().cast(renamed(row.value(), to)))));
  }

  private Object renamed(Object value, String to) {
    if (value instanceof String text) {
      return text.replace(from, to);
    } else if (value instanceof List<?> list) {
      return list.stream().map(item -> renamed(item, to)).toList();
    } else if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  entry -> renamed(entry.getKey(), to), entry -> renamed(entry.getValue(), to)));
    } else if (value instanceof Record record) {
      return renamed(record, to);
    }
    return value;
  }

  private Object renamed(Record record, String to) {
    Shape shape = shapes.computeIfAbsent(record.getClass(), Renaming::shape);
    Object[] parts = new Object[shape.components().size()];
    try {
      for (int i = 0; i < parts.length; i++) {
        Object part = shape.components().get(i).getAccessor().invoke(record);
        if (part != null) {
          parts[i] = renamed(part, to);
        }
      }
      return shape.constructor().newInstance(parts);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(record.getClass() + " cannot be copied", e);
    }
  }

  private static Shape shape(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      components[i].getAccessor().setAccessible(true);
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return new Shape(List.of(components), constructor);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("record " + type + " without its constructor", e);
    }
  }
}
