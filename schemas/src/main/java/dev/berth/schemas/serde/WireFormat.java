package dev.berth.schemas.serde;

/**
 * Confluent's framing of a record: a zero, the schema id in four bytes (big-endian), then the Avro
 * binary.
 *
 * @see <a
 *     href="https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/index.html#wire-format">Wire
 *     format</a>
 */
final class WireFormat {

  static final byte MAGIC = 0;
  static final int HEADER_BYTES = 5;

  private WireFormat() {}
}
