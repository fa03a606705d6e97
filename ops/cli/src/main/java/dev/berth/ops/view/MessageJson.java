package dev.berth.ops.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.Timestamp;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Messages of the API as JSON for programs: every field by its name in lower camel case, also where
 * it is empty or zero; what is absent is left out. Moments are ISO 8601 in UTC, durations seconds
 * with an {@code s} ({@code 1.500s}), symbols the domain's words ({@code node-detached}).
 */
public final class MessageJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private MessageJson() {}

  /** A list of messages. */
  public static ArrayNode list(Collection<? extends Message> messages) {
    ArrayNode list = NODES.arrayNode();
    messages.forEach(message -> list.add(of(message)));
    return list;
  }

  /** One message. */
  public static ObjectNode of(MessageOrBuilder message) {
    ObjectNode json = NODES.objectNode();
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (field.isMapField()) {
        json.set(field.getJsonName(), map((List<?>) message.getField(field)));
      } else if (field.isRepeated()) {
        ArrayNode values = json.putArray(field.getJsonName());
        ((List<?>) message.getField(field)).forEach(value -> values.add(value(field, value)));
      } else if (!field.hasPresence() || message.hasField(field)) {
        json.set(field.getJsonName(), value(field, message.getField(field)));
      }
    }
    return json;
  }

  /** A symbol as the domain writes it, without the name of its type: {@code node-detached}. */
  public static String word(EnumValueDescriptor symbol) {
    String type =
        symbol
            .getType()
            .getName()
            .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
            .toUpperCase(Locale.ROOT)
            .concat("_");
    String name = symbol.getName();
    String own = name.startsWith(type) ? name.substring(type.length()) : name;
    return own.equals("UNSPECIFIED") ? "" : own.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static ObjectNode map(List<?> entries) {
    ObjectNode json = NODES.objectNode();
    for (Object entry : entries) {
      Message message = (Message) entry;
      List<FieldDescriptor> fields = message.getDescriptorForType().getFields();
      json.set(
          String.valueOf(message.getField(fields.get(0))),
          value(fields.get(1), message.getField(fields.get(1))));
    }
    return json;
  }

  private static JsonNode value(FieldDescriptor field, Object value) {
    return switch (field.getJavaType()) {
      case INT -> NODES.numberNode((Integer) value);
      case LONG -> NODES.numberNode((Long) value);
      case FLOAT -> NODES.numberNode((Float) value);
      case DOUBLE -> NODES.numberNode((Double) value);
      case BOOLEAN -> NODES.booleanNode((Boolean) value);
      case ENUM -> NODES.textNode(word((EnumValueDescriptor) value));
      case MESSAGE -> message((Message) value);
      case STRING, BYTE_STRING -> NODES.textNode(value.toString());
    };
  }

  private static JsonNode message(Message message) {
    if (message instanceof Timestamp at) {
      return NODES.textNode(Moments.instant(at).toString());
    }
    if (message instanceof Duration duration) {
      return NODES.textNode(
          String.format(
              Locale.ROOT, "%d.%03ds", duration.getSeconds(), duration.getNanos() / 1_000_000));
    }
    return of(message);
  }
}
