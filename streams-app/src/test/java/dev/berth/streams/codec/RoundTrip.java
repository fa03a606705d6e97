package dev.berth.streams.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import java.util.function.Function;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.util.ClassSecurityValidator;

/** Sends generated values through a codec and Avro's binary form and expects them back. */
final class RoundTrip {
  private static final int VALUES = 200;

  static {
    ClassSecurityValidator.setGlobal(
        ClassSecurityValidator.composite(
            ClassSecurityValidator.getGlobal(),
            type -> type.getPackageName().equals("dev.berth.records")));
  }

  private RoundTrip() {}

  /** Checks values made from fixed seeds; a failure names the seed. */
  static <D, A extends SpecificRecord> void check(
      Codec<D, A> codec, Function<Random, ? extends D> values) {
    for (int seed = 0; seed < VALUES; seed++) {
      D value = values.apply(new Random(seed));
      assertThat(codec.decode().apply(throughBytes(codec.record(), codec.encode().apply(value))))
          .as("%s of seed %d", codec.domain().getSimpleName(), seed)
          .isEqualTo(value);
    }
  }

  private static <A extends SpecificRecord> A throughBytes(Class<A> type, A record) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    try {
      new SpecificDatumWriter<>(type).write(record, encoder);
      encoder.flush();
      return new SpecificDatumReader<>(type)
          .read(null, DecoderFactory.get().binaryDecoder(bytes.toByteArray(), null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
