package dev.berth.streams.query.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.ApiSession;
import dev.berth.records.SessionOffered;
import dev.berth.records.SessionOpened;
import dev.berth.records.SessionRedeemed;
import dev.berth.streams.query.Caller;
import dev.berth.streams.query.Caller.Role;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The table of sessions")
class SessionTableTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Instant END = NOW.plusSeconds(60);
  private static final Grant GRANT = new Grant("ann", Role.OPERATE, Set.of("a", "b"));

  private final SessionTable table = new SessionTable();

  @Test
  @DisplayName("knows an offer until it expires")
  void offer() {
    take("k", offered(), NOW);

    assertThat(table.offer("k", NOW.plusSeconds(59)))
        .contains(new SessionTable.Offered(GRANT, END));
    assertThat(table.offer("k", END)).isEmpty();
    assertThat(table.session("k", NOW)).isEmpty();
  }

  @Test
  @DisplayName("lets the first redemption win, and no other")
  void first() {
    take("k", offered(), NOW);
    take("k", new SessionRedeemed("one"), NOW.plusSeconds(1));
    take("k", new SessionRedeemed("two"), NOW.plusSeconds(1));

    assertThat(table.won("k", "one")).isTrue();
    assertThat(table.won("k", "two")).isFalse();
    assertThat(table.offer("k", NOW)).isEmpty();
  }

  @Test
  @DisplayName("lets a redemption that comes too late not win, nor stand in the way")
  void late() {
    take("k", offered(), NOW);
    take("k", new SessionRedeemed("late"), END);
    take("k", new SessionRedeemed("in time by its clock"), END.minusMillis(1));

    assertThat(table.won("k", "late")).isFalse();
    assertThat(table.won("k", "in time by its clock")).isTrue();
  }

  @Test
  @DisplayName("lets nobody win whose offer compaction has taken")
  void orphan() {
    take("k", new SessionRedeemed("one"), NOW);

    assertThat(table.won("k", "one")).isFalse();
    assertThat(table.offer("k", NOW)).isEmpty();
    assertThat(table.expired(END)).containsExactly("k");
  }

  @Test
  @DisplayName("cannot be given an offer a second time under the same hash")
  void again() {
    take("k", offered(), NOW);
    take("k", new SessionRedeemed("one"), NOW);
    take("k", offered(), NOW);

    assertThat(table.offer("k", NOW)).isEmpty();
    assertThat(table.won("k", "one")).isTrue();
  }

  @Test
  @DisplayName("knows a session until it expires or ends")
  void session() {
    take("k", new SessionOpened("ann", "operate", List.of("a", "b")), NOW);

    assertThat(table.session("k", END.minusMillis(1))).contains(GRANT);
    assertThat(table.session("k", END)).isEmpty();

    table.take("k", null, NOW);

    assertThat(table.session("k", NOW)).isEmpty();
    assertThat(table.expired(END)).isEmpty();
  }

  @Test
  @DisplayName("takes a role that it does not know for the least")
  void unknownRole() {
    take("k", new SessionOpened("ann", "root", List.of("*")), NOW);

    assertThat(table.session("k", NOW)).contains(new Grant("ann", Role.READ, Set.of("*")));
  }

  @Test
  @DisplayName("tells a caller's sessions and unused offers, and what has expired")
  void keys() {
    take("used", offered(), NOW);
    take("used", new SessionRedeemed("one"), NOW);
    take("offer", offered(), NOW);
    take("session", new SessionOpened("ann", "read", List.of("a")), NOW);
    take("other", new SessionOpened("ben", "read", List.of("a")), NOW);

    assertThat(table.of("ann", NOW)).containsExactly("offer", "session");
    assertThat(table.of("ann", END)).isEmpty();
    assertThat(table.expired(NOW)).isEmpty();
    assertThat(table.expired(END)).containsExactly("offer", "other", "session", "used");
  }

  @Test
  @DisplayName("gives no more than the session has and than its caller may now")
  void within() {
    Set<Role> all = EnumSet.allOf(Role.class);
    Set<Role> read = Set.of(Role.READ);
    Set<Role> operate = Set.of(Role.READ, Role.OPERATE);

    assertThat(GRANT.within(new Caller("ann", all, Set.of("*"))))
        .isEqualTo(new Caller("ann", operate, Set.of("a", "b")));
    assertThat(GRANT.within(new Caller("ann", read, Set.of("b", "c"))))
        .isEqualTo(new Caller("ann", read, Set.of("b")));
    assertThat(
            new Grant("ann", Role.ADMIN, Set.of("*")).within(new Caller("ann", all, Set.of("c"))))
        .isEqualTo(new Caller("ann", all, Set.of("c")));
  }

  @Test
  @DisplayName("finds the session among other cookies")
  void cookie() {
    io.grpc.Metadata headers = new io.grpc.Metadata();
    headers.put(
        io.grpc.Metadata.Key.of("cookie", io.grpc.Metadata.ASCII_STRING_MARSHALLER),
        "theme=dark; __Host-berth-session=s.x; other=1");

    assertThat(SessionCookie.in(headers)).isEqualTo(Optional.of("s.x"));
    assertThat(SessionCookie.in(new io.grpc.Metadata())).isEmpty();
  }

  private void take(String key, @Nullable Object body, Instant at) {
    table.take(key, new ApiSession(body, END), at);
  }

  private static SessionOffered offered() {
    return new SessionOffered("ann", "operate", List.of("a", "b"));
  }
}
