package dev.berth.producers.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.producers.Alloc;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.IndexSource;
import dev.berth.producers.LiveAllocs;
import dev.berth.producers.Saying;
import dev.berth.producers.VolumeUse;
import dev.berth.records.AccessMode;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.FeedPosition;
import dev.berth.records.JobType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventFeedTest {

  private static final FeedOptions OPTIONS = FeedOptions.of("events.jsonl").withFeed("feed-1");
  private static final String RUNNING =
      "{\"event\":\"status\",\"alloc\":\"a1\",\"volume\":\"db\",\"client\":\"running\"}\n";
  private static final String CLAIM =
      "{\"event\":\"claim\",\"alloc\":\"a1\",\"node\":\"n1\",\"volume\":\"db\",\"mode\":\"write\","
          + "\"access\":\"single-node-writer\"}\n";
  private static final String LIVE =
      "{\"event\":\"live\",\"allocs\":[\"a1\"],\"at\":\"2026-01-01T00:00:00Z\"}\n";
  private static final LiveAllocs LIST =
      LiveAllocs.of(List.of("a1")).takenAt(Instant.parse("2026-01-01T00:00:00Z"));
  private static final Alloc A1 = Alloc.of("a1", VolumeUse.of("default", "db"));

  private final List<Saying> said = new ArrayList<>();
  private final List<String> nodes = new ArrayList<>();
  private final List<String> lists = new ArrayList<>();
  private final List<String> rejected = new ArrayList<>();
  private final List<Duration> saidAt = new ArrayList<>();
  private final FeedListener listener =
      new FeedListener() {
        @Override
        public void rejected(String message) {
          rejected.add(message);
        }

        @Override
        public void at(long line) {}
      };
  private final List<CompletableFuture<?>> waitedFor = new ArrayList<>();
  private Optional<FeedPosition> position = Optional.empty();
  private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);
  private List<CompletableFuture<ClaimReply>> replies = List.of();
  private Reconciling reconciling = live -> lists.add(live + " after " + said.size());
  private Runnable whenNodeIsSaid = () -> {};
  private long now;

  @Test
  void saysEveryKindOfEvent() throws Exception {
    FeedResult result =
        feed(
            """
            {"event":"node","node":"n1","status":"ready"}
            {"event":"claim","alloc":"a1","node":"n1","volume":"db","mode":"write",\
            "access":"single-node-writer","job":"web","jobType":"SERVICE","stopOnDisconnect":"5m"}

            {"event":"status","alloc":"a1","volume":"db","client":"running"}
            {"event":"unmount-failed","alloc":"a1","volume":"db","error":"busy"}
            {"event":"unmounted","alloc":"a1","volume":"db","generation":3}
            {"event":"status","alloc":"a1","volume":"db","client":"complete","desired":"stop"}
            {"event":"gone","alloc":"a1","namespace":"team","volume":"db"}
            {"event":"node","node":"n1","status":"gone"}
            """);

    assertThat(rejected).isEmpty();
    assertThat(result).isEqualTo(new FeedResult(0, 9, 8, 0));
    assertThat(nodes).containsExactly("n1 READY true", "n1 gone");
    assertThat(said.get(0))
        .isInstanceOfSatisfying(
            Saying.Claims.class,
            claim ->
                assertThat(claim.request())
                    .isEqualTo(
                        ClaimRequest.write(
                                "a1", "n1", "default", "db", AccessMode.SINGLE_NODE_WRITER)
                            .job("web", JobType.SERVICE)
                            .stopOnDisconnect(Duration.ofMinutes(5))
                            .build()));
    assertThat(said.subList(1, 6))
        .containsExactly(
            new Saying.Status(A1, ClientStatus.RUNNING, DesiredStatus.RUN),
            new Saying.UnmountFailed(A1, "busy"),
            new Saying.Unmounted(Alloc.of("a1", VolumeUse.of("default", "db").ofClaim(3))),
            new Saying.Status(A1, ClientStatus.COMPLETE, DesiredStatus.STOP),
            new Saying.Gone(Alloc.of("a1", VolumeUse.of("team", "db"))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "nonsense | events.jsonl:2: is no JSON, at column 1",
        "[1] | events.jsonl:2: is no JSON object; write {\"event\": …}",
        "{\"event\":\"x\"} | events.jsonl:2: event: \"x\" is none of claim, status, unmounted",
        "{\"event\":\"gone\"} | events.jsonl:2: volume: is missing; give a text",
        "{\"event\":\"gone\",\"volume\":\"a/b\",\"alloc\":\"a\"} | events.jsonl:2: volume 'a/b'",
        "{\"event\":\"gone\",\"volume\":7} | events.jsonl:2: volume: 7 is no text; put it in quotes",
        "{\"event\":\"gone\",\"volume\":\"v\",\"alloc\":\"a\",\"index\":\"7\"} |"
            + " events.jsonl:2: index: \"7\" is no whole number; give one without quotes",
        "{\"event\":\"gone\",\"volume\":\"v\",\"alloc\":\"a\",\"nod\":\"n\"} |"
            + " events.jsonl:2: nod: is no field of this event; known are event, at",
        "{\"event\":\"gone\",\"event\":\"gone\"} | events.jsonl:2: is no JSON",
        "{\"event\":\"gone\",\"volume\":\"v\",\"alloc\":\"a\",\"index\":7} |"
            + " events.jsonl:2: index: 7 is not used: the clock numbers",
        "{\"event\":\"node\",\"node\":\"a/b\",\"status\":\"ready\"} |"
            + " events.jsonl:2: node 'a/b': holds a slash",
        "{\"event\":\"gone\",\"at\":\"+1000000000-01-01T00:00:00Z\"} |"
            + " events.jsonl:2: at: \"+1000000000-01-01T00:00:00Z\" is not within the years 1 to",
        "{\"event\":\"gone\",\"at\":\"now\"} | events.jsonl:2: at: \"now\" is no time; write it as",
        "{\"event\":\"claim\",\"volume\":\"v\",\"alloc\":\"a\",\"node\":\"n\",\"mode\":\"write\","
            + "\"access\":\"single-node-writer\",\"stopOnDisconnect\":\"soon\"} |"
            + " events.jsonl:2: stopOnDisconnect: \"soon\" is no duration; write 90s, 5m or 1h",
        "{\"event\":\"node\",\"node\":\"n\",\"status\":\"ready\",\"eligible\":\"no\"} |"
            + " events.jsonl:2: eligible: \"no\" is neither true nor false; give one of them",
      })
  void aBadLineIsRejectedAndThoseBehindItGoOn(String line, String message) throws Exception {
    FeedResult result = feed(RUNNING + line + "\n" + RUNNING);

    assertThat(rejected).singleElement().asString().contains(message);
    assertThat(result).isEqualTo(new FeedResult(0, 3, 2, 1));
    assertThat(position.orElseThrow().getPosition()).isEqualTo(3);
  }

  @Test
  void aLineThatIsTooLongOrNoUtf8IsRejected() throws Exception {
    String bad = RUNNING.replace("a1", "\u0000");
    byte[] bytes =
        (RUNNING + bad + "x".repeat(LineReader.LONGEST + 5) + "\n" + RUNNING).getBytes(UTF_8);
    bytes[(RUNNING + bad).indexOf('\u0000')] = (byte) 0xff;

    FeedResult result = feed(bytes, OPTIONS);

    assertThat(result.rejected()).isEqualTo(2);
    assertThat(result.events()).isEqualTo(2);
    assertThat(rejected.get(0)).startsWith("events.jsonl:2: ").contains("UTF-8");
    assertThat(rejected.get(1))
        .isEqualTo("events.jsonl:3: has more than 1048576 bytes; shorten it");
  }

  @Test
  void goesOnBehindTheLineOfThePosition() throws Exception {
    feed(RUNNING + RUNNING);

    FeedResult result = feed(RUNNING + RUNNING + RUNNING);

    assertThat(result).isEqualTo(new FeedResult(2, 1, 1, 0));
    assertThat(said).hasSize(3);
    assertThat(position.orElseThrow().getCounters()).containsEntry("events", 3L);
  }

  @Test
  void linesThatHaveChangedSinceAreRefused() throws Exception {
    feed(RUNNING + RUNNING);

    assertThatThrownBy(() -> feed(RUNNING.replace("a1", "a2") + RUNNING + RUNNING))
        .isInstanceOf(FeedException.class)
        .hasMessage(
            "feed 'feed-1' stands at line 2 of events.jsonl, and its lines up to there have"
                + " changed; give the same input as then, or another feed id");
    assertThatThrownBy(() -> feed(RUNNING)).isInstanceOf(FeedException.class);
    assertThat(said).hasSize(2);
  }

  @Test
  void rejectedLinesAtTheEndAreNotReadAgain() throws Exception {
    feed(RUNNING + "nonsense\n");

    assertThat(position.orElseThrow().getPosition()).isEqualTo(2);
    assertThat(position.orElseThrow().getCounters()).containsEntry("rejected", 1L);
  }

  @Test
  void withoutAFeedIdNoPositionIsKept() throws Exception {
    feed((RUNNING + "nonsense").getBytes(UTF_8), FeedOptions.of("-"));

    assertThat(position).isEmpty();
  }

  @Test
  void keepsTheTimesBetweenEventsByTheFactor() throws Exception {
    String at = RUNNING.replace("}", ",\"at\":\"2026-01-01T00:0%d:00Z\"}");
    FeedOptions fast =
        new FeedOptions(
            "-",
            Optional.empty(),
            OptionalDouble.of(60),
            OptionalDouble.empty(),
            IndexSource.CLOCK);

    feed((at.formatted(0) + at.formatted(1) + at.formatted(3)).getBytes(UTF_8), fast);

    assertThat(saidAt).containsExactly(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(3));
  }

  @Test
  void saysNoMoreThanTheRate() throws Exception {
    FeedOptions slow =
        new FeedOptions(
            "-", Optional.empty(), OptionalDouble.empty(), OptionalDouble.of(4), IndexSource.CLOCK);

    feed((RUNNING + RUNNING + RUNNING).getBytes(UTF_8), slow);

    assertThat(saidAt)
        .containsExactly(Duration.ZERO, Duration.ofMillis(250), Duration.ofMillis(500));
  }

  @Test
  void aListOfLiveAllocsIsHeldAgainstTheClaimsOfTheLinesBefore() throws Exception {
    FeedResult result = feed(RUNNING + LIVE + RUNNING);

    assertThat(lists).containsExactly(LIST + " after 1");
    assertThat(result).isEqualTo(new FeedResult(0, 3, 3, 0));
  }

  @Test
  void aListHasItsNumberWhereTheLinesHave() throws Exception {
    FeedOptions own = OPTIONS.withIndexes(IndexSource.CALLER);
    String numbered = LIVE.replace("}", ",\"index\":7}");

    FeedResult result = feed((LIVE + numbered + RUNNING).getBytes(UTF_8), own);

    assertThat(lists).containsExactly(LIST.at(7) + " after 0");
    assertThat(rejected)
        .containsExactly(
            "events.jsonl:1: index: is missing; give a whole number, or no --own-index",
            "events.jsonl:3: index: is missing; give a whole number, or no --own-index");
    assertThat(result).isEqualTo(new FeedResult(0, 3, 1, 2));
  }

  @Test
  void aListWaitsUntilTheClaimsBeforeItAreDecidedAndNotForEver() throws Exception {
    CompletableFuture<ClaimReply> reply = new CompletableFuture<>();
    replies = List.of(reply);

    feed(CLAIM + LIVE);

    assertThat(waitedFor).singleElement().satisfies(what -> assertThat(what).isNotDone());
    assertThat(lists).containsExactly(LIST + " after 1");
    reply.cancel(false);
    assertThat(waitedFor.get(0)).isDone();
  }

  @Test
  void aClaimThatIsToldToWaitIsDecided() throws Exception {
    replies = List.of(new CompletableFuture<>());
    feed(CLAIM + LIVE);
    ClaimReply waiting = new ClaimReply();

    ((Saying.Claims) said.get(0)).whileWaiting().accept(waiting);

    assertThat(waitedFor.get(0)).isDone();
  }

  @Test
  void aListThatCannotBeHeldAgainstTheClaimsEndsTheFeed() throws Exception {
    reconciling =
        live -> {
          throw new IllegalStateException("no topic");
        };

    assertThatThrownBy(() -> feed(RUNNING + LIVE + RUNNING))
        .isInstanceOf(FeedException.class)
        .hasMessage(
            "events.jsonl:2: the list could not be held against the claims; feed again to go on"
                + " with this line: no topic");
    assertThat(position.orElseThrow().getPosition()).isEqualTo(1);
  }

  @Test
  void linesBeyondTheParsersLimitsAreRejected() throws Exception {
    String deep = "{\"event\":" + "[".repeat(2_000) + "]".repeat(2_000) + "}\n";
    String digits = "{\"event\":" + "1".repeat(2_000) + "}\n";

    FeedResult result = feed(deep + digits + RUNNING);

    assertThat(result).isEqualTo(new FeedResult(0, 3, 1, 2));
    assertThat(rejected).allSatisfy(message -> assertThat(message).contains("is no JSON"));
  }

  @Test
  void timesFarApartDoNotOverflow() throws Exception {
    String at = RUNNING.replace("}", ",\"at\":\"%s\"}");
    FeedOptions slow =
        new FeedOptions(
            "-",
            Optional.empty(),
            OptionalDouble.of(1e-9),
            OptionalDouble.empty(),
            IndexSource.CLOCK);

    feed(
        (at.formatted("0001-01-01T00:00:00Z") + at.formatted("9999-01-01T00:00:00Z"))
            .getBytes(UTF_8),
        slow);

    assertThat(saidAt).containsExactly(Duration.ZERO, Duration.ofDays(36_500));
  }

  @Test
  void theBeginningOfALineIsLeftToTheNextRun() throws Exception {
    FeedResult first = feed(RUNNING + RUNNING.substring(0, 30));

    assertThat(first).isEqualTo(new FeedResult(0, 1, 1, 1));
    assertThat(rejected)
        .singleElement()
        .asString()
        .startsWith("events.jsonl:2: has no line end yet and is left to the next run: is no JSON");
    assertThat(position.orElseThrow().getPosition()).isEqualTo(1);

    assertThat(feed(RUNNING + RUNNING + RUNNING)).isEqualTo(new FeedResult(1, 2, 2, 0));
    assertThat(said).hasSize(3);
  }

  @Test
  void aWholeLineWithoutItsEndIsSaidAndNotSaidAgainWhenTheEndIsThere() throws Exception {
    feed(RUNNING + RUNNING.stripTrailing());

    assertThat(feed(RUNNING + RUNNING + RUNNING)).isEqualTo(new FeedResult(2, 1, 1, 0));
  }

  @Test
  void aLineAboutANodeIsSaidAfterAllBeforeItIsWritten() throws Exception {
    written =
        new CompletableFuture<>() {
          @Override
          public Void get() throws InterruptedException, ExecutionException {
            complete(null);
            return super.get();
          }
        };
    List<Boolean> writtenBefore = new ArrayList<>();
    whenNodeIsSaid = () -> writtenBefore.add(written.isDone());

    feed(RUNNING + "{\"event\":\"node\",\"node\":\"n1\",\"status\":\"down\"}\n");

    assertThat(writtenBefore).containsExactly(true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"event\":\"live\"}|allocs: is missing; give a list of texts",
        "{\"event\":\"live\",\"allocs\":\"a1\"}|allocs: \"a1\" is no list; write [\"…\", …]",
        "{\"event\":\"live\",\"allocs\":[1]}"
            + "|allocs: [1] holds something else than texts; put each in quotes",
        "{\"event\":\"live\",\"allocs\":[\"a1\"]}|at: is missing; give the time at which the list was"
            + " begun: later claims are left alone",
        "{\"event\":\"live\",\"allocs\":[]}"
            + "|allocs: [] would end every claim; say gone of each alloc instead"
      })
  void aListThatCannotBeBelievedIsRejected(String line, String problem) throws Exception {
    feed(line + "\n");

    assertThat(rejected).containsExactly("events.jsonl:1: " + problem);
    assertThat(lists).isEmpty();
  }

  private FeedResult feed(String lines) throws IOException, InterruptedException {
    return feed(lines.getBytes(UTF_8), OPTIONS);
  }

  private FeedResult feed(byte[] lines, FeedOptions options)
      throws IOException, InterruptedException {
    EventFeed feed =
        new EventFeed(
            options,
            this::say,
            this::node,
            reconciling,
            Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
            new FeedTime() {
              @Override
              public long nanoTime() {
                return now;
              }

              @Override
              public void until(long nanoTime) {
                now = Math.max(now, nanoTime);
              }

              @Override
              public boolean await(CompletableFuture<?> what, Duration longest) {
                waitedFor.add(what);
                return what.isDone();
              }
            });
    return feed.run(new ByteArrayInputStream(lines), position, listener);
  }

  private Saying.Said say(List<? extends Saying> sayings, Optional<FeedPosition> at) {
    said.addAll(sayings);
    sayings.forEach(saying -> saidAt.add(Duration.ofNanos(now)));
    position = at.or(() -> position);
    boolean claims = sayings.stream().anyMatch(Saying.Claims.class::isInstance);
    return new Saying.Said(written, claims ? replies : List.of());
  }

  private CompletableFuture<Void> node(
      String node, Optional<dev.berth.records.NodeStatus> status, boolean eligible) {
    whenNodeIsSaid.run();
    nodes.add(status.map(s -> node + " " + s + " " + eligible).orElse(node + " gone"));
    return CompletableFuture.completedFuture(null);
  }
}
