package dev.berth.streams.claims;

import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.RejectCode;
import dev.berth.records.RpcCode;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lanes and plugin of a {@link Simulation}: requests and answers take their time and cross, calls
 * fail in every way, and what was done at the provider is known. One controller call at a time, one
 * node call at a time for each node.
 */
final class SimLanes {
  private final World world;
  private final Random random;
  private final SimProvider provider;
  private final String plugin;
  private final Deque<LaneRequest> inbox = new ArrayDeque<>();
  private final Deque<Settlement> outbox = new ArrayDeque<>();
  private final Map<String, Item> items = new LinkedHashMap<>();

  /** Slots held, by node, with the request that took each. */
  private final Map<String, String> slots = new TreeMap<>();

  private boolean kind;

  SimLanes(World world, Random random, SimProvider provider, String plugin) {
    this.world = world;
    this.plugin = plugin;
    this.random = random;
    this.provider = provider;
  }

  private static final class Item {
    final LaneRequest request;
    Call call;
    boolean open;
    boolean withdrawn;
    boolean mayHaveEffect;

    Item(LaneRequest request, Call call) {
      this.request = request;
      this.call = call;
    }

    boolean controller() {
      return call.toController();
    }
  }

  void ask(LaneRequest request) {
    inbox.add(request);
  }

  /** The next answer, if one is on its way. */
  @Nullable Settlement deliver() {
    return outbox.poll();
  }

  /** From now on every call works. */
  void beKind() {
    kind = true;
  }

  /**
   * A node is heard again. What was asked before is taken first, and what was sent to it before is
   * refused there: it was meant for an earlier incarnation.
   */
  void nodeIsBack(String node) {
    while (!inbox.isEmpty()) {
      take(inbox.remove());
    }
    for (Item item : List.copyOf(items.values())) {
      if (item.open && !item.controller() && item.call.node().equals(node)) {
        hold(item, HoldCode.NODE_UNREACHABLE, RpcCode.UNAVAILABLE, random.nextBoolean());
      }
    }
  }

  boolean idle() {
    return inbox.isEmpty() && outbox.isEmpty() && items.isEmpty();
  }

  Map<String, String> slots() {
    return slots;
  }

  /** Whether the lanes or the way to them hold this request. */
  boolean knows(String requestId) {
    return items.containsKey(requestId)
        || inbox.stream().anyMatch(request -> request.requestId().equals(requestId))
        || outbox.stream().anyMatch(answer -> answer.requestId().equals(requestId));
  }

  @Override
  public String toString() {
    List<String> calls = new ArrayList<>();
    items.forEach(
        (id, item) ->
            calls.add(
                id
                    + " "
                    + Notation.call(item.call)
                    + (item.open ? " open" : "")
                    + (item.withdrawn ? " withdrawn" : "")));
    return calls + " in " + inbox.size() + " out " + outbox.size();
  }

  /** Does one thing: takes a request, sends a call or ends one. */
  void step() {
    List<Item> all = new ArrayList<>(items.values());
    int which = random.nextInt(all.size() + 2);
    if (which >= all.size()) {
      LaneRequest next = inbox.poll();
      if (next != null) {
        take(next);
      }
    } else if (all.get(which).open) {
      end(all.get(which));
    } else {
      send(all.get(which));
    }
  }

  // ---- requests

  private void take(LaneRequest request) {
    LaneRequest.Body body = request.body();
    if (body instanceof LaneRequest.Enqueue enqueue) {
      enqueue(request, enqueue);
    } else if (body instanceof LaneRequest.Withdraw) {
      withdraw(request);
    } else if (body instanceof LaneRequest.ReserveExternalId reserve) {
      answer(request, new Settlement.ExternalIdReserved(reserve.externalVolume()), null);
    } else if (body instanceof LaneRequest.ReleaseSlot release) {
      slots.remove(release.node());
    }
  }

  private void enqueue(LaneRequest request, LaneRequest.Enqueue enqueue) {
    String node = enqueue.call().node();
    if (enqueue.takesSlot()) {
      if (!kind && random.nextInt(8) == 0) {
        answer(request, new Settlement.SlotRefused(25, 25), null);
        return;
      }
      slots.put(node, request.requestId());
      answer(request, new Settlement.Accepted(), null);
    }
    items.put(request.requestId(), new Item(request, enqueue.call()));
  }

  private void withdraw(LaneRequest request) {
    Item item = items.get(request.requestId());
    if (item == null) {
      answer(request, new Settlement.Withdrawn(false), null);
    } else if (item.open) {
      item.withdrawn = true;
    } else {
      finish(item, new Settlement.Withdrawn(item.mayHaveEffect), item.mayHaveEffect);
    }
  }

  // ---- calls

  private void send(Item item) {
    boolean busy =
        items.values().stream()
            .anyMatch(
                other ->
                    other.open
                        && other.controller() == item.controller()
                        && (item.controller() || other.call.node().equals(item.call.node())));
    if (busy) {
      return;
    }
    if (!kind && random.nextInt(6) == 0) {
      hold(item, HoldCode.NO_CONTROLLER, null, false);
      return;
    }
    if (!item.controller() && !provider.reachable(item.call.node())) {
      hold(item, HoldCode.NODE_UNREACHABLE, null, false);
      return;
    }
    String external = item.call.externalNode();
    if (item.controller() && external == null) {
      external = world.externalNode(plugin, item.call.node());
      if (external == null) {
        hold(item, HoldCode.MISSING_EXTERNAL_NODE_ID, null, false);
        return;
      }
      item.call = item.call.withExternalNode(external);
      if (item.call.rpc() == CsiCall.CONTROLLER_UNPUBLISH) {
        finish(item, new Settlement.Withdrawn(item.mayHaveEffect), true);
        return;
      }
    }
    item.open = true;
    provider.begins(item.call);
  }

  private void end(Item item) {
    if (!item.controller() && !provider.reachable(item.call.node())) {
      // Nobody there takes the call or ends it.
      return;
    }
    boolean works = kind || random.nextInt(3) > 0;
    boolean takesEffect = works || random.nextInt(4) == 0;
    boolean attach = item.call.rpc() == CsiCall.CONTROLLER_PUBLISH;
    if (attach && !works && random.nextInt(6) == 0) {
      finish(
          item,
          new Settlement.Failed(RpcCode.UNIMPLEMENTED, "no", RejectCode.PLUGIN_ERROR, false),
          false);
      return;
    }
    if (takesEffect) {
      provider.did(item.call);
    }
    if (works) {
      Map<String, String> context = attach ? Map.of("dev", item.request.requestId()) : Map.of();
      finish(item, new Settlement.Done(RpcCode.OK, item.call.readOnly(), context), attach);
    } else if (attach && random.nextInt(3) == 0) {
      finish(
          item, new Settlement.Failed(RpcCode.INTERNAL, "no", RejectCode.PLUGIN_ERROR, true), true);
    } else {
      hold(item, HoldCode.TIMEOUT, RpcCode.DEADLINE_EXCEEDED, takesEffect || random.nextBoolean());
    }
  }

  private void hold(Item item, HoldCode code, @Nullable RpcCode rpc, boolean effect) {
    item.open = false;
    item.mayHaveEffect |= effect;
    if (item.withdrawn) {
      finish(item, new Settlement.Withdrawn(item.mayHaveEffect), item.mayHaveEffect);
      return;
    }
    boolean stuck = random.nextInt(3) == 0;
    Hold hold =
        new Hold(
            code,
            "not now",
            rpc,
            stuck ? 8 : 1,
            world.now(),
            world.now(),
            world.now().plusSeconds(1),
            stuck);
    answer(item, new Settlement.Held(hold, item.mayHaveEffect));
  }

  private void finish(Item item, Settlement.Body body, boolean attachmentMayExist) {
    String id = item.request.requestId();
    items.remove(id);
    String node = item.call.node();
    boolean detached =
        item.call.rpc() == CsiCall.CONTROLLER_UNPUBLISH && body instanceof Settlement.Done;
    boolean gaveUp = id.equals(slots.get(node)) && !attachmentMayExist;
    if (detached || gaveUp) {
      slots.remove(node);
    }
    answer(item, body);
  }

  private void answer(Item item, Settlement.Body body) {
    answer(item.request, body, item.controller() ? item.call.externalNode() : null);
  }

  private void answer(LaneRequest request, Settlement.Body body, @Nullable String externalNode) {
    outbox.add(
        new Settlement(
            request.requestId(),
            request.volumeKey(),
            request.plugin(),
            externalNode,
            world.now(),
            body));
  }
}
