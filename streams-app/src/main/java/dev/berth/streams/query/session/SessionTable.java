package dev.berth.streams.query.session;

import dev.berth.records.ApiSession;
import dev.berth.records.SessionOffered;
import dev.berth.records.SessionOpened;
import dev.berth.records.SessionRedeemed;
import dev.berth.streams.query.Caller.Role;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the topic of sessions comes to. Folded of its records alone, in their order, so that every
 * reader who has come equally far knows the same: who reads and who writes at what time does not
 * matter. Safe for use by many threads.
 *
 * <pre>
 *  (none) ──offered──► offer ──redeemed, in time──► offer with a winner ──tombstone──► (none)
 *                        │  └─redeemed, too late──► offer
 *                        └──redeemed, again───────► offer with the same winner
 *  (none) ──redeemed──► orphan: compaction has taken its offer, nobody wins
 *  (none) ──opened──► session ──tombstone──► (none)
 * </pre>
 */
final class SessionTable {
  private final Map<String, Row> rows = new HashMap<>();

  /** What is known under one hash. */
  private sealed interface Row {
    Instant expires();
  }

  private record Offer(Grant grant, Instant expires, Optional<String> winner) implements Row {}

  private record Orphan(Instant expires) implements Row {}

  private record Session(Grant grant, Instant expires) implements Row {}

  /**
   * Takes the next record of a key.
   *
   * @param value what it says; null for a tombstone
   * @param at its time on the topic
   */
  synchronized void take(String key, @Nullable ApiSession value, Instant at) {
    if (value == null) {
      rows.remove(key);
      return;
    }
    Object body = value.getBody();
    if (body instanceof SessionOffered offered) {
      Grant grant =
          grant(offered.getCaller(), offered.getRole(), Set.copyOf(offered.getNamespaces()));
      rows.putIfAbsent(key, new Offer(grant, value.getExpires(), Optional.empty()));
    } else if (body instanceof SessionRedeemed redeemed) {
      rows.compute(key, (same, row) -> redeemed(row, redeemed.getRedemption(), value, at));
    } else if (body instanceof SessionOpened opened) {
      Grant grant = grant(opened.getCaller(), opened.getRole(), Set.copyOf(opened.getNamespaces()));
      rows.putIfAbsent(key, new Session(grant, value.getExpires()));
    }
  }

  private static Row redeemed(@Nullable Row row, String redemption, ApiSession value, Instant at) {
    if (row == null) {
      return new Orphan(value.getExpires());
    }
    if (row instanceof Offer offer && offer.winner().isEmpty() && at.isBefore(offer.expires())) {
      return new Offer(offer.grant(), offer.expires(), Optional.of(redemption));
    }
    return row;
  }

  /** A role of a later version is none that this one knows: the least then. */
  private static Grant grant(String caller, String role, Set<String> namespaces) {
    for (Role known : Role.values()) {
      if (word(known).equals(role)) {
        return new Grant(caller, known, namespaces);
      }
    }
    return new Grant(caller, Role.READ, namespaces);
  }

  /** A role as it is written. */
  static String word(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  /** Until when it can be given for a session, and what the session would be. */
  record Offered(Grant grant, Instant expires) {}

  /** An offer that nobody has redeemed and that has not expired. */
  synchronized Optional<Offered> offer(String key, Instant now) {
    return rows.get(key) instanceof Offer offer
            && offer.winner().isEmpty()
            && now.isBefore(offer.expires())
        ? Optional.of(new Offered(offer.grant(), offer.expires()))
        : Optional.empty();
  }

  /** Whether a redemption was the first one of its offer, and in time. */
  synchronized boolean won(String key, String redemption) {
    return rows.get(key) instanceof Offer offer
        && offer.winner().filter(redemption::equals).isPresent();
  }

  /** A session that has not expired. */
  synchronized Optional<Grant> session(String key, Instant now) {
    return rows.get(key) instanceof Session session && now.isBefore(session.expires())
        ? Optional.of(session.grant())
        : Optional.empty();
  }

  /** The keys of a caller's sessions and of offers that nobody has redeemed, none of it expired. */
  synchronized List<String> of(String caller, Instant now) {
    return rows.entrySet().stream()
        .filter(row -> now.isBefore(row.getValue().expires()))
        .filter(row -> isOpen(row.getValue(), caller))
        .map(Map.Entry::getKey)
        .sorted(Comparator.naturalOrder())
        .toList();
  }

  private static boolean isOpen(Row row, String caller) {
    return (row instanceof Session session && session.grant().caller().equals(caller))
        || (row instanceof Offer offer
            && offer.winner().isEmpty()
            && offer.grant().caller().equals(caller));
  }

  /** The keys of what has expired. */
  synchronized List<String> expired(Instant now) {
    return rows.entrySet().stream()
        .filter(row -> !now.isBefore(row.getValue().expires()))
        .map(Map.Entry::getKey)
        .sorted(Comparator.naturalOrder())
        .toList();
  }
}
