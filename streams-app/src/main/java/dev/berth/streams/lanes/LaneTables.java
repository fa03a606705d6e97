package dev.berth.streams.lanes;

import dev.berth.streams.kernel.Table;
import dev.berth.streams.policy.Policy.LaneScope;
import dev.berth.streams.work.Call;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * The state of the lanes as tables, and their keys. Requests, attempts, lanes, slots, external ids,
 * plugins and breakers are facts; the queue and the indexes follow from them and are only ever
 * written by {@link LanesDraft}.
 */
public final class LaneTables {
  /** Calls not settled, by request id. */
  public static final Table<LaneCall> REQUESTS = new Table<>("requests", LaneCall.class);

  /** Open attempts, by attempt id (plugin/number). */
  public static final Table<Attempt> ATTEMPTS = new Table<>("attempts", Attempt.class);

  /** Lanes in which something happens, by lane. */
  public static final Table<Lane> LANES = new Table<>("lanes", Lane.class);

  /** What the lanes of a plugin share, by plugin id. */
  public static final Table<PluginLanes> PLUGIN_LANES =
      new Table<>("plugin-lanes", PluginLanes.class);

  /** Slots in use, by plugin/node/external volume. */
  public static final Table<SlotUse> SLOTS = new Table<>("slots", SlotUse.class);

  /** How many they are, by plugin/node. */
  public static final Table<SlotCount> SLOT_COUNTS = new Table<>("slot-counts", SlotCount.class);

  /** External ids in use, by plugin/external id. */
  public static final Table<ExternalIdHolder> EXTERNAL_IDS =
      new Table<>("external-ids", ExternalIdHolder.class);

  /** Breakers of nodes whose calls fail, by plugin/node. */
  public static final Table<Breaker> BREAKERS = new Table<>("breakers", Breaker.class);

  /** Calls in line, by lane/kind/position. */
  public static final Table<QueueEntry> QUEUE = new Table<>("queue", QueueEntry.class);

  /** The same by age: plugin/arrival time/arrival number. */
  public static final Table<QueueEntry> AGES = new Table<>("ages", QueueEntry.class);

  /** Held calls twice, by plugin and by node, each in the order of arrival. */
  public static final Table<QueueEntry> HELD = new Table<>("held", QueueEntry.class);

  /** What is due, by time/kind/id. */
  public static final Table<DueItem> DUE = new Table<>("due", DueItem.class);

  /** The listing of each plugin that is being read, or was read last, by plugin id. */
  public static final Table<Snapshot> SNAPSHOTS = new Table<>("snapshots", Snapshot.class);

  /** Pages of listings that are being read, by plugin/page. */
  public static final Table<ListedPage> LISTED_PAGES =
      new Table<>("listed-pages", ListedPage.class);

  /** What listings say of registered volumes, by plugin/external id. */
  public static final Table<ListedRun> LISTED = new Table<>("listed", ListedRun.class);

  private LaneTables() {}

  /** Every table, so that a store can be made for each. */
  public static List<Table<?>> all() {
    return List.of(
        REQUESTS,
        ATTEMPTS,
        LANES,
        PLUGIN_LANES,
        SLOTS,
        SLOT_COUNTS,
        EXTERNAL_IDS,
        BREAKERS,
        QUEUE,
        AGES,
        HELD,
        DUE,
        SNAPSHOTS,
        LISTED_PAGES,
        LISTED);
  }

  /**
   * The lane of a call. Node calls of one volume on one node run one at a time, whatever the plugin
   * (S87); controller calls by the scope that the plugin's policy allows.
   */
  static String lane(LaneCall call, LaneScope scope) {
    return lane(call.plugin(), call.call(), scope);
  }

  /**
   * The lane of a call of a plugin. A controller's are told apart by the ids that the provider
   * knows, for those are what it must not work on twice at a time: one of its volumes can be
   * registered again under another name while a detach of the earlier one is out, and one of its
   * nodes can have two names, or none when a listing told of it. (A call whose node is not known to
   * the provider waits in no lane; it is shown by the scheduler's name.)
   */
  static String lane(String plugin, Call call, LaneScope scope) {
    if (!call.toController()) {
      return nodeLanes(plugin, call.node()) + call.namespace() + "/" + call.volume();
    }
    String controller = plugin + "/controller";
    String volume = segment(call.externalVolume());
    String node = segment(Objects.requireNonNullElse(call.externalNode(), call.node()));
    return switch (scope) {
      case PLUGIN -> controller;
      case NODE -> controller + "/node/" + node;
      case VOLUME -> controller + "/volume/" + volume;
      case VOLUME_NODE -> controller + "/volume-node/" + volume + "/" + node;
    };
  }

  /** An id of a provider, which may hold anything, as one part of a key. */
  private static String segment(String id) {
    return id.replace("%", "%25").replace("/", "%2F");
  }

  /** What the lanes of a plugin's calls on a node begin with. */
  static String nodeLanes(String plugin, String node) {
    return plugin + "/node/" + node + "/";
  }

  /** Whether a lane is one of node calls; the others are of controller calls. */
  static boolean ofNodeCalls(String lane) {
    return lane.startsWith(pluginOf(lane) + "/node/");
  }

  /**
   * The queues that a lane has. Asking for others would find the calls of other lanes: the keys of
   * the lane {@code p/controller/node/n} begin as those of a queue of node calls of {@code
   * p/controller} would.
   */
  static List<LaneKind> kinds(String lane) {
    return ofNodeCalls(lane) ? List.of(LaneKind.NODE) : List.of(LaneKind.ATTACH, LaneKind.DETACH);
  }

  /** Plugin of a lane. */
  static String pluginOf(String lane) {
    int slash = lane.indexOf('/');
    return slash < 0 ? lane : lane.substring(0, slash);
  }

  static String queue(String lane, LaneKind kind) {
    return lane + "/" + kind.word() + "/";
  }

  static String queue(String lane, LaneKind kind, long position) {
    return queue(lane, kind) + Sortable.number(position);
  }

  static String age(LaneCall call) {
    return call.plugin()
        + "/"
        + Sortable.time(call.arrivedAt())
        + "/"
        + Sortable.number(call.arrival());
  }

  static String heldOfPlugin(String plugin) {
    return "plugin/" + plugin + "/";
  }

  static String heldOfNode(String node) {
    return "node/" + node + "/";
  }

  static String heldOfNode(String node, String plugin) {
    return heldOfNode(node) + plugin + "/";
  }

  static String slotsOf(String plugin, String node) {
    return plugin + "/" + node;
  }

  static String slot(String plugin, String node, String externalVolume) {
    return slotsOf(plugin, node) + "/" + externalVolume;
  }

  static String externalId(String plugin, String externalVolume) {
    return plugin + "/" + externalVolume;
  }

  static String page(String plugin, int page) {
    return plugin + "/" + Sortable.number(page);
  }

  /** Retries that are due together go in the order of arrival. */
  static String retryDue(Instant at, LaneCall call) {
    return Sortable.time(at) + "/retry/" + Sortable.number(call.arrival()) + "/" + call.requestId();
  }

  static String attemptDue(Instant at, String attemptId) {
    return Sortable.time(at) + "/attempt/" + attemptId;
  }

  /** Whether what stands under a key of {@link #DUE} is due. */
  public static boolean isDue(String key, Instant now) {
    return key.substring(0, key.indexOf('/')).compareTo(Sortable.time(now)) <= 0;
  }
}
