package dev.berth.streams.topology;

import dev.berth.streams.policy.PolicySettings;
import dev.berth.streams.policy.Setting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Draws records that are valid by their schema and absurd by their values: field by field of the
 * schema, so that a field added later is drawn without a change here. Half of the texts are ones
 * that other records hold in a field of that name, for a record about nothing is soon put aside.
 */
final class AbsurdRecords {
  private static final List<String> ABSURD =
      List.of(
          "",
          " ",
          "/",
          "a/b",
          "//",
          "..",
          "\u0000",
          "a\nb",
          "\uffff",
          "😀",
          "\u202egnol",
          "i̇İ",
          "%s%n{}",
          "${file:/x}",
          "${a",
          "null",
          "-1",
          "999999999h",
          "NaN",
          "n".repeat(256),
          "n".repeat(257),
          "é".repeat(5_000),
          "x".repeat(60_000));

  private static final long[] NUMBERS = {
    0, 1, 2, 3, 4, 5, 7, 10, 100, -1, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 53
  };

  /** Most items of a list or map, once in a while. */
  private static final int THOUSANDS = 2_000;

  /** Most words that are kept of a field. */
  private static final int KEPT = 40;

  private final Random random;
  private final Map<String, List<String>> words = new HashMap<>();

  /** How many of a hundred texts are absurd. */
  private int absurdity;

  AbsurdRecords(Random random) {
    this.random = random;
    know("namespace", "default");
    know("volume", "v1", "v2", "v3");
    know("alloc", "a1", "a2", "a3", "a4");
    know("node", "n1", "n2", "n3");
    know("plugin", "ebs", "nfs");
    know("scheduler", "nomad", "nomad", "other");
    know("externalId", "vol-1", "vol-2");
    know("externalVolume", "vol-1", "vol-2");
    know("publishedNodes", "i-1", "i-2");
    know("externalNode", "i-1", "i-2");
    know("by", "ops");
    know("reason", "because");
    know("name", "default", "plugin/ebs", "volume/default/v1");
    know("route", "pool");
    know("worker", "w1", "w2");
    know("secrets", "${dir:/run/secrets:x}");
    know("references", "${dir:/run/secrets:x}");
  }

  private void know(String field, String... values) {
    words.computeIfAbsent(field, name -> new ArrayList<>()).addAll(List.of(values));
  }

  /** Takes over the texts of a record that was seen: attempts, requests and acceptances recur. */
  void learn(@Nullable Object seen) {
    if (seen instanceof GenericRecord record) {
      for (Schema.Field field : record.getSchema().getFields()) {
        Object value = record.get(field.pos());
        if (value instanceof CharSequence text) {
          learn(field.name(), text.toString());
        } else {
          learn(value);
        }
      }
    } else if (seen instanceof Collection<?> items) {
      items.stream().limit(20).forEach(this::learn);
    }
  }

  private void learn(String field, String text) {
    List<String> known = words.computeIfAbsent(field, name -> new ArrayList<>());
    if (text.length() > 300 || known.contains(text)) {
      return;
    }
    if (known.size() < KEPT) {
      known.add(text);
    } else {
      known.set(random.nextInt(KEPT), text);
    }
  }

  /** Draws a record; some are absurd all over, some in hardly anything. */
  GenericRecord draw(Schema schema) {
    absurdity = List.of(2, 8, 30).get(random.nextInt(3));
    return record(schema);
  }

  private GenericRecord record(Schema schema) {
    GenericRecord record = new GenericData.Record(schema);
    for (Schema.Field field : schema.getFields()) {
      record.put(field.pos(), value(field.name(), field.schema()));
    }
    return record;
  }

  /** Draws a text for a field of that name. */
  String text(String field) {
    List<String> known = words.getOrDefault(field, List.of());
    return known.isEmpty() || random.nextInt(100) < absurdity
        ? ABSURD.get(random.nextInt(ABSURD.size()))
        : known.get(random.nextInt(known.size()));
  }

  /** The bytes of a record behind the header of the wire format. */
  static byte[] bytes(GenericRecord record, int schemaId) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0);
    for (int shift = 24; shift >= 0; shift -= 8) {
      out.write(schemaId >>> shift);
    }
    try {
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
      new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private @Nullable Object value(String field, Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> record(schema);
      case STRING -> text(field);
      case LONG -> number();
      case INT -> (int) number();
      case BOOLEAN -> random.nextBoolean();
      case ENUM ->
          new GenericData.EnumSymbol(
              schema, schema.getEnumSymbols().get(random.nextInt(schema.getEnumSymbols().size())));
      case ARRAY -> items(field, schema.getElementType());
      case MAP -> entries(field, schema.getValueType());
      case UNION -> {
        List<Schema> branches = schema.getTypes();
        yield value(field, branches.get(random.nextInt(branches.size())));
      }
      case NULL -> null;
      default -> throw new IllegalStateException("no values for " + schema.getType() + " yet");
    };
  }

  private long number() {
    return NUMBERS[random.nextInt(NUMBERS.length)];
  }

  private int count() {
    return random.nextInt(200) == 0 ? THOUSANDS : random.nextInt(4);
  }

  private List<@Nullable Object> items(String field, Schema of) {
    List<@Nullable Object> items = new ArrayList<>();
    int weight = 0;
    for (int left = count(); left > 0 && weight < 200_000; left--) {
      @Nullable Object item = value(field, of);
      weight += String.valueOf(item).length();
      items.add(item);
    }
    return items;
  }

  private Map<String, @Nullable Object> entries(String field, Schema of) {
    Map<String, @Nullable Object> entries = new HashMap<>();
    int weight = 0;
    for (int left = count(); left > 0 && weight < 200_000; left--) {
      boolean setting = field.equals("settings") && random.nextInt(100) >= absurdity;
      Setting<?> known = PolicySettings.all().get(random.nextInt(PolicySettings.all().size()));
      String key = setting ? known.key() : text("key of " + field) + left;
      @Nullable Object value =
          setting && random.nextInt(100) >= absurdity ? known.values().example() : value(field, of);
      weight += String.valueOf(value).length();
      entries.put(key, value);
    }
    return entries;
  }
}
