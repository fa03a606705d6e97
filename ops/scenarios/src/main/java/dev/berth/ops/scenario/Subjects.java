package dev.berth.ops.scenario;

import dev.berth.records.Call;
import dev.berth.records.LaneStatus;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** What a record speaks of, found by the names that all records use for the same things. */
final class Subjects {
  private Subjects() {}

  static String volume(String key) {
    return "volume " + key;
  }

  /** The volume of a call, as namespace/volume. */
  static String volumeKey(Call call) {
    return call.getNamespace() + "/" + call.getVolume();
  }

  static String plugin(String plugin) {
    return "plugin " + plugin;
  }

  static Set<String> of(@Nullable IndexedRecord record) {
    Set<String> found = new HashSet<>();
    if (record instanceof LaneStatus status) {
      // It holds the work of every volume and tells the story of none.
      found.add(plugin(status.getPlugin()));
    } else if (record != null) {
      collect(record, found);
    }
    return found;
  }

  static Set<String> of(Call call, String plugin) {
    return Set.of(volume(volumeKey(call)), plugin(plugin));
  }

  private static void collect(IndexedRecord record, Set<String> into) {
    Object namespace = field(record, "namespace");
    if (namespace != null && field(record, "volume") instanceof String id) {
      into.add(volume(namespace + "/" + id));
    }
    if (field(record, "volumeKey") instanceof String key) {
      into.add(volume(key));
    }
    if (field(record, "requestId") instanceof String request && request.indexOf('#') > 0) {
      into.add(volume(request.substring(0, request.indexOf('#'))));
    }
    if (field(record, "plugin") instanceof String plugin) {
      into.add(plugin(plugin));
    }
    for (Schema.Field field : record.getSchema().getFields()) {
      within(record.get(field.pos()), into);
    }
  }

  private static void within(@Nullable Object value, Set<String> into) {
    if (value instanceof IndexedRecord inner) {
      collect(inner, into);
    } else if (value instanceof Collection<?> items) {
      items.forEach(item -> within(item, into));
    } else if (value instanceof Map<?, ?> map) {
      map.values().forEach(item -> within(item, into));
    }
  }

  private static @Nullable Object field(IndexedRecord record, String name) {
    Schema.Field field = record.getSchema().getField(name);
    return field == null ? null : record.get(field.pos());
  }
}
