package dev.berth.producers.feed;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one line. Whatever was not asked for is unknown. */
final class JsonFields {

  private static final int SHOWN = 60;
  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .readerFor(JsonNode.class);

  private final JsonNode object;
  private final Set<String> known = new LinkedHashSet<>();

  private JsonFields(JsonNode object) {
    this.object = object;
  }

  static JsonFields of(byte[] line) throws InvalidLineException {
    try {
      JsonNode value = READER.readValue(line);
      if (!value.isObject()) {
        throw new InvalidLineException("is no JSON object; write {\"event\": …}");
      }
      return new JsonFields(value);
    } catch (JsonProcessingException e) {
      throw new InvalidLineException(
          "is no JSON%s: %s; write one object per line"
              .formatted(column(e.getLocation()), e.getOriginalMessage()),
          e);
    } catch (IOException e) {
      throw new InvalidLineException("is no UTF-8 text: " + e.getMessage() + "; correct it", e);
    }
  }

  /** A line beyond the parser's limits (depth, digits) has no location. */
  private static String column(@Nullable JsonLocation location) {
    return location == null ? "" : ", at column " + location.getColumnNr();
  }

  /** A text that must be there. */
  String required(String field) throws InvalidLineException {
    return text(field)
        .orElseThrow(() -> new InvalidLineException(field + ": is missing; give a text"));
  }

  /** A text that may be missing. */
  Optional<String> text(String field) throws InvalidLineException {
    Optional<JsonNode> value = value(field);
    if (value.isPresent() && !value.get().isTextual()) {
      throw wrong(field, "is no text; put it in quotes");
    }
    return value.map(JsonNode::textValue);
  }

  /** One of an enumeration that must be there. */
  <E extends Enum<E>> E requiredSymbol(String field, Class<E> type) throws InvalidLineException {
    Optional<E> symbol = symbol(field, type);
    if (symbol.isEmpty()) {
      throw new InvalidLineException(
          "%s: is missing; give one of %s".formatted(field, words(type)));
    }
    return symbol.get();
  }

  /** One of an enumeration. */
  <E extends Enum<E>> Optional<E> symbol(String field, Class<E> type) throws InvalidLineException {
    Optional<String> text = text(field);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    String name = text.get().replace('-', '_').toUpperCase(Locale.ROOT);
    Optional<E> symbol =
        symbols(type).stream().filter(constant -> constant.name().equals(name)).findFirst();
    if (symbol.isEmpty()) {
      throw wrong(field, "is none of " + words(type));
    }
    return symbol;
  }

  /** A whole number. */
  OptionalLong number(String field) throws InvalidLineException {
    Optional<JsonNode> value = value(field);
    if (value.isEmpty()) {
      return OptionalLong.empty();
    }
    if (!value.get().canConvertToLong() || !value.get().isIntegralNumber()) {
      throw wrong(field, "is no whole number; give one without quotes");
    }
    return OptionalLong.of(value.get().longValue());
  }

  /** Texts that must be there, perhaps none. */
  List<String> texts(String field) throws InvalidLineException {
    Optional<JsonNode> value = value(field);
    if (value.isEmpty()) {
      throw new InvalidLineException(field + ": is missing; give a list of texts");
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode item : value.get()) {
      if (!item.isTextual()) {
        throw wrong(field, "holds something else than texts; put each in quotes");
      }
      texts.add(item.textValue());
    }
    if (!value.get().isArray()) {
      throw wrong(field, "is no list; write [\"…\", …]");
    }
    return texts;
  }

  boolean flag(String field, boolean otherwise) throws InvalidLineException {
    Optional<JsonNode> value = value(field);
    if (value.isPresent() && !value.get().isBoolean()) {
      throw wrong(field, "is neither true nor false; give one of them");
    }
    return value.map(JsonNode::booleanValue).orElse(otherwise);
  }

  /** After all fields were asked for. */
  void done() throws InvalidLineException {
    List<String> unknown = new ArrayList<>();
    object.fieldNames().forEachRemaining(name -> unknown.add(name));
    unknown.removeAll(known);
    if (!unknown.isEmpty()) {
      throw new InvalidLineException(
          "%s: is no field of this event; known are %s"
              .formatted(shown(unknown.get(0)), String.join(", ", known)));
    }
  }

  /** The error about the value of a field. */
  InvalidLineException wrong(String field, String remedy) {
    JsonNode value = object.path(field);
    return new InvalidLineException("%s: %s %s".formatted(field, shown(value.toString()), remedy));
  }

  private Optional<JsonNode> value(String field) {
    known.add(field);
    return Optional.ofNullable(object.get(field)).filter(value -> !value.isNull());
  }

  private static String shown(String text) {
    String cut = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    return cut.replaceAll("\\p{Cntrl}", "?");
  }

  private static <E extends Enum<E>> List<E> symbols(Class<E> type) {
    // The symbol that stands for values of a newer writer is only for reading.
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> !constant.name().equals("UNRECOGNIZED"))
        .toList();
  }

  private static <E extends Enum<E>> String words(Class<E> type) {
    return symbols(type).stream()
        .map(constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .collect(Collectors.joining(", "));
  }
}
