package dev.berth.producers.trace;

import dev.berth.producers.Alloc;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.Saying;
import dev.berth.producers.Speaker;
import dev.berth.producers.VolumeUse;
import dev.berth.records.AccessMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClientStatus;
import dev.berth.records.FeedPosition;
import dev.berth.records.RejectCode;
import dev.berth.records.ReplyOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Stands for Berth: one writer where a volume has one, first come first served, a tenth of a second
 * for an attach; a claim ends when its alloc has ended and, where the client mounts, has unmounted.
 */
final class FakeBerth implements Speaker {

  private static final Duration ATTACH = Duration.ofMillis(100);

  private final FakeTime time;
  private final Map<String, Row> rows = new LinkedHashMap<>();
  private final Set<String> ended = new HashSet<>();
  private final Set<String> rejected = new HashSet<>();
  private final List<String> log = new ArrayList<>();
  private Optional<FeedPosition> position = Optional.empty();
  private int transactions;
  private int dieAfter = Integer.MAX_VALUE;
  private boolean dead;
  private int mostRows;
  private long generations;

  FakeBerth(FakeTime time) {
    this.time = time;
  }

  /** The process is gone; what it did last is committed. */
  static final class Killed extends RuntimeException {}

  private static final class Row {
    private final ClaimRequest request;
    private CompletableFuture<ClaimReply> reply = new CompletableFuture<>();
    private java.util.function.Consumer<ClaimReply> waiting = reply -> {};
    private long generation;
    private boolean unmounted;
    private boolean granted;

    Row(ClaimRequest request) {
      this.request = request;
    }
  }

  /** Whom it never grants. */
  void reject(String alloc) {
    rejected.add(alloc);
  }

  /** Ends the process after so many more transactions. */
  void dieAfter(int count) {
    dieAfter = transactions + count;
    dead = false;
  }

  Optional<FeedPosition> position() {
    return position;
  }

  /** All that was said, as {@code alloc what}. */
  List<String> log() {
    return log;
  }

  Set<String> ended() {
    return ended;
  }

  Map<String, Row> rows() {
    return rows;
  }

  int mostRows() {
    return mostRows;
  }

  @Override
  public Saying.Said say(List<? extends Saying> sayings, Optional<FeedPosition> with) {
    if (dead || transactions == dieAfter) {
      dead = true;
      throw new Killed();
    }
    transactions++;
    with.ifPresent(at -> position = Optional.of(at));
    List<CompletableFuture<ClaimReply>> replies = new ArrayList<>();
    for (Saying saying : sayings) {
      if (saying instanceof Saying.Claims claim) {
        log.add(claim.request().alloc() + " claims " + claim.request().volume());
        replies.add(claim(claim));
      } else if (saying instanceof Saying.Status status) {
        log.add(status.alloc().id() + " " + status.client() + " " + status.desired());
        status(status.alloc(), status.client());
      } else if (saying instanceof Saying.Unmounted unmounted) {
        log.add(unmounted.alloc().id() + " unmounted");
        unmounted(unmounted.alloc());
      }
    }
    mostRows = Math.max(mostRows, rows.size());
    return new Saying.Said(CompletableFuture.completedFuture(null), replies);
  }

  private CompletableFuture<ClaimReply> claim(Saying.Claims claim) {
    ClaimRequest request = claim.request();
    if (ended.contains(request.alloc()) || rejected.contains(request.alloc())) {
      return CompletableFuture.completedFuture(
          reply(request, 0, ReplyOutcome.REJECTED, RejectCode.ALLOC_TERMINAL, null));
    }
    Row row = rows.computeIfAbsent(key(request.alloc(), request.volume()), k -> new Row(request));
    row.reply = new CompletableFuture<>();
    row.waiting = claim.whileWaiting();
    if (row.granted) {
      row.reply.complete(reply(request, row.generation, ReplyOutcome.GRANTED, null, null));
    } else {
      grant(row);
    }
    return row.reply;
  }

  private void grant(Row row) {
    Optional<Row> holder = holder(row);
    if (holder.isPresent()) {
      row.waiting.accept(
          reply(row.request, 0, ReplyOutcome.WAITING, null, holder.get().request.alloc()));
    } else if (row.generation == 0) {
      row.generation = ++generations;
      time.after(
          ATTACH,
          () -> {
            row.granted = true;
            row.reply.complete(
                reply(row.request, row.generation, ReplyOutcome.GRANTED, null, null));
          });
    }
  }

  private Optional<Row> holder(Row row) {
    return rows.values().stream()
        .filter(other -> other != row && other.generation > 0 && isAlone(other.request))
        .filter(other -> isAlone(row.request))
        .filter(other -> other.request.volume().equals(row.request.volume()))
        .findFirst();
  }

  private static boolean isAlone(ClaimRequest request) {
    return request.mode() == ClaimMode.WRITE
        && request.access() != AccessMode.MULTI_NODE_MULTI_WRITER;
  }

  private void status(Alloc alloc, ClientStatus client) {
    if (client == ClientStatus.COMPLETE || client == ClientStatus.FAILED) {
      ended.add(alloc.id());
      alloc.volumes().forEach(use -> free(alloc.id(), use));
    }
  }

  private void unmounted(Alloc alloc) {
    for (VolumeUse use : alloc.volumes()) {
      Row row = rows.get(key(alloc.id(), use.volume()));
      if (row != null && row.generation == use.claimGeneration().orElseThrow()) {
        row.unmounted = true;
      }
      free(alloc.id(), use);
    }
  }

  private void free(String alloc, VolumeUse use) {
    Row row = rows.get(key(alloc, use.volume()));
    boolean byWorker = use.volume().startsWith("ebs");
    if (row != null && ended.contains(alloc) && (row.unmounted || byWorker || !row.granted)) {
      rows.remove(key(alloc, use.volume()));
      List.copyOf(rows.values()).stream()
          .filter(other -> other.request.volume().equals(use.volume()) && other.generation == 0)
          .findFirst()
          .ifPresent(this::grant);
    }
  }

  private static String key(String alloc, String volume) {
    return volume + "/" + alloc;
  }

  private static ClaimReply reply(
      ClaimRequest request,
      long generation,
      ReplyOutcome outcome,
      @org.jspecify.annotations.Nullable RejectCode code,
      @org.jspecify.annotations.Nullable String heldBy) {
    return new ClaimReply(
        "request",
        "test",
        request.namespace(),
        request.volume(),
        request.alloc(),
        request.node(),
        generation,
        outcome,
        code,
        null,
        heldBy == null ? "" : "held by " + heldBy,
        heldBy,
        new HashMap<>(),
        Instant.EPOCH);
  }
}
