package dev.berth.schemas.topics;

import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.FinalizedVersionRange;

/**
 * The version of transactions that the brokers have agreed on. Before version 2 (KIP-890) a
 * producer that is late can write into a transaction of its successor, so that Berth does not start
 * with it.
 *
 * @param version what they have agreed on; 0 for nothing
 */
public record TransactionVersion(short version) {
  private static final String FEATURE = "transaction.version";
  private static final short LEAST = 2;

  /** Looks it up among the features that the brokers have finalized. */
  public static TransactionVersion among(Map<String, FinalizedVersionRange> features) {
    return new TransactionVersion(
        Optional.ofNullable(features.get(FEATURE))
            .map(FinalizedVersionRange::maxVersionLevel)
            .orElse((short) 0));
  }

  /** Whether Berth may start with it. */
  public boolean enough() {
    return version >= LEAST;
  }

  /** What it is, in words: {@code transaction.version is 2}. */
  public String text() {
    return FEATURE + " is " + version;
  }

  /** Why less than that is not enough. */
  public String danger() {
    return "%d is needed: with less, a late producer can write into a transaction of its successor"
        .formatted(LEAST);
  }

  /** The command that raises it. */
  public String remedy() {
    return "kafka-features upgrade --feature %s=%d".formatted(FEATURE, LEAST);
  }
}
