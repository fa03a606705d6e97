package dev.berth.streams.claims;

import dev.berth.streams.work.Call;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plays the lanes: keeps what is asked of them, and answers as they would. Slots are promised and
 * external ids reserved at once, and queued calls come back when they are withdrawn; all else a
 * test answers itself, unless it asks for {@link #auto}.
 */
final class PlayedLanes {
  private final Map<String, Item> items = new LinkedHashMap<>();
  private final Deque<Settlement> due = new ArrayDeque<>();
  private boolean full;
  private boolean silent;
  private boolean auto;

  /** A call that the lanes have. */
  private static final class Item {
    final LaneRequest request;
    final Call call;
    boolean open;
    boolean withdrawn;
    boolean mayHaveEffect;

    Item(LaneRequest request, Call call) {
      this.request = request;
      this.call = call;
    }
  }

  /** Answers every call OK from now on. */
  void auto() {
    auto = true;
  }

  /** Refuses every attach that takes a slot from now on. */
  void full() {
    full = true;
  }

  /** Promises no slot and reserves no external id by itself from now on. */
  void silent() {
    silent = true;
  }

  void take(LaneRequest request, Instant now) {
    LaneRequest.Body body = request.body();
    if (body instanceof LaneRequest.Enqueue enqueue) {
      enqueue(request, enqueue, now);
    } else if (body instanceof LaneRequest.Withdraw) {
      withdraw(request, now);
    } else if (body instanceof LaneRequest.ReserveExternalId reserve && !silent) {
      answer(request, new Settlement.ExternalIdReserved(reserve.externalVolume()), now);
    }
  }

  private void enqueue(LaneRequest request, LaneRequest.Enqueue enqueue, Instant now) {
    if (enqueue.takesSlot() && full) {
      answer(request, new Settlement.SlotRefused(25, 25), now);
      return;
    }
    items.put(request.requestId(), new Item(request, enqueue.call()));
    if (enqueue.takesSlot() && !silent) {
      answer(request, new Settlement.Accepted(), now);
    }
    if (auto) {
      items.remove(request.requestId());
      answer(request, new Settlement.Done(dev.berth.records.RpcCode.OK, false, Map.of()), now);
    }
  }

  private void withdraw(LaneRequest request, Instant now) {
    Item item = items.get(request.requestId());
    if (item == null) {
      answer(request, new Settlement.Withdrawn(false), now);
    } else if (item.open) {
      item.withdrawn = true;
    } else {
      items.remove(request.requestId());
      answer(request, new Settlement.Withdrawn(item.mayHaveEffect), now);
    }
  }

  private void answer(LaneRequest request, Settlement.Body body, Instant now) {
    due.add(
        new Settlement(
            request.requestId(), request.volumeKey(), request.plugin(), null, now, body));
  }

  /** The next answer that is due by itself; null when none is. */
  @Nullable Settlement next() {
    return due.poll();
  }

  /** The calls that are queued or open, in the order they came. */
  List<String> calls() {
    return items.values().stream().map(item -> Notation.call(item.call)).toList();
  }

  /** Their request ids. */
  List<String> requests() {
    return new ArrayList<>(items.keySet());
  }

  Call call(String requestId) {
    return item(requestId).call;
  }

  boolean isWithdrawn(String requestId) {
    return item(requestId).withdrawn;
  }

  boolean isOpen(String requestId) {
    return item(requestId).open;
  }

  String idOf(String call) {
    return items.entrySet().stream()
        .filter(entry -> Notation.call(entry.getValue().call).equals(call))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no call " + call + " in the lanes: " + calls()));
  }

  /** Notes that a call is inside the plugin, so that it cannot be taken back. */
  void open(String requestId) {
    item(requestId).open = true;
  }

  /** An answer to a call, which it ends unless it is held. */
  Settlement answer(
      String requestId, Settlement.Body body, @Nullable String externalNode, Instant now) {
    Item item = item(requestId);
    if (body instanceof Settlement.Held held) {
      item.open = false;
      item.mayHaveEffect |= held.mayHaveEffect();
    } else if (!(body instanceof Settlement.Accepted)) {
      items.remove(requestId);
    }
    LaneRequest request = item.request;
    return new Settlement(
        requestId, request.volumeKey(), request.plugin(), externalNode, now, body);
  }

  private Item item(String requestId) {
    Item item = items.get(requestId);
    if (item == null) {
      throw new AssertionError("no request " + requestId + " in the lanes: " + calls());
    }
    return item;
  }
}
