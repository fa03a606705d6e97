package dev.berth.streams.codec;

import dev.berth.schemas.serde.TrustedPackages;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;

/**
 * Translates between a type of the cores and its Avro record.
 *
 * @param domain type of the cores
 * @param record Avro record
 * @param encode to the record
 * @param decode from the record
 * @param <D> type of the cores
 * @param <A> Avro record
 */
public record Codec<D, A extends SpecificRecord>(
    Class<D> domain, Class<A> record, Function<D, A> encode, Function<A, D> decode) {
  /** Trusts its record: builders of records copy their defaults. */
  public Codec {
    TrustedPackages.trust(record);
  }
}
