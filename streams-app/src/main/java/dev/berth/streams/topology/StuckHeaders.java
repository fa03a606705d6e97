package dev.berth.streams.topology;

import dev.berth.records.Hold;
import dev.berth.records.StuckClaim;
import dev.berth.schemas.headers.Origin;
import java.util.Locale;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;

/**
 * What records of {@code stuck-claims} say in their headers: the most of their value as UTF-8
 * texts, so that a list in a Kafka UI, or a consumer without the registry, tells which dead letter
 * is about what. What is not known has no header.
 */
final class StuckHeaders {
  private StuckHeaders() {}

  /**
   * Sets the headers of a dead letter.
   *
   * @param origin record that it was decided of; empty when time was its cause
   */
  static void set(Headers headers, StuckClaim letter, Optional<Origin> origin) {
    Hold hold = letter.getHold();
    Origin.text(headers, "berth.code", word(hold.getCode()));
    Origin.text(headers, "berth.attempts", Integer.toString(hold.getAttempts()));
    Origin.text(headers, "berth.first-failure", hold.getFirstFailure().toString());
    Origin.text(headers, "berth.last-failure", hold.getLastFailure().toString());
    hold.getNextRetry().ifPresent(at -> Origin.text(headers, "berth.next-retry", at.toString()));
    letter.getStep().ifPresent(step -> Origin.text(headers, "berth.step", word(step)));
    Origin.text(headers, "berth.plugin", letter.getPlugin());
    Origin.text(headers, "berth.node", letter.getNode());
    Origin.text(headers, "berth.remedy", letter.getRemedy());
    Origin.text(headers, "berth.resolved", Boolean.toString(letter.getResolved()));
    letter.getResolution().ifPresent(how -> Origin.text(headers, "berth.resolution", how));
    origin.ifPresent(from -> from.addTo(headers));
  }

  private static String word(Enum<?> symbol) {
    return symbol.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
