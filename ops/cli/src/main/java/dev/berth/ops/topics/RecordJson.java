package dev.berth.ops.topics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Records as JSON for people and scripts: without the type names that Avro's own JSON puts around
 * the branches of a union (where several kinds of records can stand, {@code type} says which),
 * moments as text (ISO 8601), bytes in Base64.
 */
final class RecordJson {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private RecordJson() {}

  /** A record, or a part of one; null is JSON's null. */
  static JsonNode of(@Nullable Object value) {
    if (value == null) {
      return JSON.nullNode();
    } else if (value instanceof IndexedRecord fields) {
      return object(fields);
    } else if (value instanceof Map<?, ?> map) {
      return object(map);
    } else if (value instanceof Collection<?> items) {
      ArrayNode array = JSON.arrayNode();
      items.forEach(item -> array.add(of(item)));
      return array;
    } else if (value instanceof Boolean truth) {
      return JSON.booleanNode(truth);
    } else if (value instanceof Integer || value instanceof Long) {
      return JSON.numberNode(((Number) value).longValue());
    } else if (value instanceof Number number) {
      return JSON.numberNode(number.doubleValue());
    } else if (value instanceof ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      return bytes(copy);
    }
    return JSON.textNode(value.toString());
  }

  /** Bytes that are no record. */
  static JsonNode bytes(byte[] bytes) {
    return JSON.textNode(Base64.getEncoder().encodeToString(bytes));
  }

  private static ObjectNode object(IndexedRecord fields) {
    ObjectNode object = JSON.objectNode();
    for (Schema.Field field : fields.getSchema().getFields()) {
      Object value = fields.get(field.pos());
      object.set(
          field.name(),
          value instanceof IndexedRecord part && isOneOfSeveral(field.schema())
              ? named(part)
              : of(value));
    }
    return object;
  }

  /** Whether a field holds records of more than one kind, so that theirs must be said. */
  private static boolean isOneOfSeveral(Schema schema) {
    return schema.isUnion()
        && schema.getTypes().stream().filter(type -> type.getType() == Schema.Type.RECORD).count()
            > 1;
  }

  private static ObjectNode named(IndexedRecord part) {
    ObjectNode named = JSON.objectNode();
    named.put("type", part.getSchema().getName());
    named.setAll(object(part));
    return named;
  }

  private static ObjectNode object(Map<?, ?> map) {
    Map<String, JsonNode> sorted = new TreeMap<>();
    map.forEach((key, value) -> sorted.put(key.toString(), of(value)));
    ObjectNode object = JSON.objectNode();
    object.setAll(sorted);
    return object;
  }
}
