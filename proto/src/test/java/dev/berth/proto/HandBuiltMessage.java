package dev.berth.proto;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import java.util.Arrays;

/**
 * Bytes of a message, put together from field numbers alone.
 *
 * <p>Knows nothing of the generated classes, so that a wrong number or type in our definition
 * cannot repeat itself here.
 */
final class HandBuiltMessage {

  private final UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder();

  static HandBuiltMessage message() {
    return new HandBuiltMessage();
  }

  HandBuiltMessage text(int number, String... values) {
    UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
    Arrays.stream(values).map(ByteString::copyFromUtf8).forEach(field::addLengthDelimited);
    fields.mergeField(number, field.build());
    return this;
  }

  /** A number, a boolean (0 or 1) or an enum number. */
  HandBuiltMessage varint(int number, long value) {
    fields.mergeField(number, UnknownFieldSet.Field.newBuilder().addVarint(value).build());
    return this;
  }

  HandBuiltMessage nested(int number, HandBuiltMessage value) {
    fields.mergeField(
        number, UnknownFieldSet.Field.newBuilder().addLengthDelimited(value.bytes()).build());
    return this;
  }

  /** One entry of a map from string to string: a nested message with key 1 and value 2. */
  HandBuiltMessage entry(int number, String key, String value) {
    return nested(number, message().text(1, key).text(2, value));
  }

  ByteString bytes() {
    return fields.build().toByteString();
  }
}
