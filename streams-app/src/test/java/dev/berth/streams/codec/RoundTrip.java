package dev.berth.streams.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.schemas.serde.AvroSerde;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.util.Random;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;

/** Sends generated values through a codec and the bytes of a topic and expects them back. */
final class RoundTrip {
  private static final int VALUES = 200;
  private static final String TOPIC = "round-trip";

  private RoundTrip() {}

  /** Checks values made from fixed seeds; a failure names the seed. */
  static <D, A extends SpecificRecord> void check(
      Codec<D, A> codec, Function<Random, ? extends D> values) {
    AvroSerde<A> serde = AvroSerde.of(new MockSchemaRegistryClient(), codec.record());
    for (int seed = 0; seed < VALUES; seed++) {
      D value = values.apply(new Random(seed));
      byte[] bytes = serde.serializer().serialize(TOPIC, codec.encode().apply(value));
      assertThat(codec.decode().apply(serde.deserializer().deserialize(TOPIC, bytes)))
          .as("%s of seed %d", codec.domain().getSimpleName(), seed)
          .isEqualTo(value);
    }
  }
}
