package dev.berth.ops.scenario;

import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClaimState;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.DriftFinding;
import dev.berth.records.LaneStatus;
import dev.berth.records.StuckClaim;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks what steps expect. Lists are seen once: each check sees what came since the one before it.
 */
final class Expectations {
  private static final String[] KNOWN = {
    "rpcs",
    "open",
    "table",
    "attachments",
    "replies",
    "stuck",
    "events",
    "counts",
    "backlog",
    "eta",
    "findings",
    "no-overlap",
    "absent",
    "result"
  };

  private final World world;
  private final List<Failure> failures = new ArrayList<>();
  private final Map<Topic, Integer> read = new HashMap<>();
  private int rpcsRead;

  Expectations(World world) {
    this.world = world;
  }

  List<Failure> failures() {
    return failures;
  }

  void check(Value.Fields f) {
    f.allow(KNOWN);
    f.find("rpcs").ifPresent(this::rpcs);
    f.find("open").ifPresent(this::open);
    f.find("table").ifPresent(v -> v.asFields().fields().forEach(this::table));
    f.find("attachments").ifPresent(v -> v.asFields().fields().forEach(this::attachments));
    f.find("replies").ifPresent(v -> replies(v.asFields()));
    f.find("stuck").ifPresent(this::stuck);
    f.find("events").ifPresent(this::events);
    f.find("counts").ifPresent(v -> v.asFields().fields().forEach(this::count));
    f.find("backlog").ifPresent(v -> v.asFields().fields().forEach(this::backlog));
    f.find("eta").ifPresent(v -> v.asFields().fields().forEach(this::eta));
    f.find("findings").ifPresent(this::findings);
    f.find("no-overlap").ifPresent(v -> v.asItems().forEach(this::noOverlap));
    f.find("absent").ifPresent(v -> v.asItems().forEach(this::absent));
    f.find("result").ifPresent(this::result);
  }

  private void eta(String alloc, Value range) {
    List<Duration> bounds = range.asItems().stream().map(Durations::parse).toList();
    if (bounds.size() != 2) {
      throw range.place().problem("eta of " + alloc + ": write [at least, at most]");
    }
    Duration eta = world.eta(alloc).orElse(null);
    if (eta == null || eta.compareTo(bounds.get(0)) < 0 || eta.compareTo(bounds.get(1)) > 0) {
      failures.add(
          new Failure(range.place(), "eta of " + alloc, range, eta == null ? "unknown" : eta));
    }
  }

  private void expect(Value at, String what, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      failures.add(new Failure(at.place(), what, expected, actual));
    }
  }

  // ---- RPCs

  private void rpcs(Value expected) {
    List<Rpc> made = world.worker().made();
    List<Rpc> fresh = new ArrayList<>(made.subList(rpcsRead, made.size()));
    rpcsRead = made.size();
    List<String> texts = fresh.stream().map(Rpc::text).toList();
    for (Value item : expected.asItems()) {
      List<Value> group = item instanceof Value.Items items ? items.items() : List.of(item);
      List<Rpc> head = new ArrayList<>(fresh.subList(0, Math.min(group.size(), fresh.size())));
      fresh.removeAll(head);
      for (Value notation : group) {
        String text = Rpc.notation(notation);
        if (!removeFirst(head, text)) {
          failures.add(new Failure(notation.place(), "rpcs", text, texts));
          return;
        }
      }
    }
    if (!fresh.isEmpty()) {
      failures.add(new Failure(expected.place(), "rpcs", "nothing further", texts));
    }
  }

  private void open(Value expected) {
    List<Rpc> open = new ArrayList<>(world.worker().open());
    List<String> texts = open.stream().map(Rpc::text).toList();
    for (Value item : expected.asItems()) {
      if (!removeFirst(open, Rpc.notation(item))) {
        failures.add(new Failure(item.place(), "open", item.asText(), texts));
        return;
      }
    }
    if (!open.isEmpty()) {
      failures.add(new Failure(expected.place(), "open", "nothing further", texts));
    }
  }

  private static boolean removeFirst(List<Rpc> rpcs, String notation) {
    for (Rpc rpc : rpcs) {
      if (rpc.is(notation)) {
        rpcs.remove(rpc);
        return true;
      }
    }
    return false;
  }

  private void count(String kind, Value expected) {
    long made = world.worker().made().stream().filter(rpc -> rpc.kind().equals(kind)).count();
    expect(expected, "counts " + kind, Long.valueOf(expected.asText()), made);
  }

  private void noOverlap(Value plugin) {
    List<Rpc> rpcs =
        world.worker().made().stream()
            .filter(r -> r.plugin().equals(plugin.asText()) && r.toController())
            .toList();
    Invariants.overlap(rpcs)
        .ifPresent(found -> failures.add(new Failure(plugin.place(), "no-overlap", "none", found)));
  }

  // ---- tables

  private void table(String volume, Value expected) {
    Map<String, Claim> rows = new TreeMap<>();
    world.rows(ClaimTables.CLAIMS).values().stream()
        .filter(claim -> claim.key().toString().equals(key(volume)))
        .forEach(claim -> rows.put(claim.alloc(), claim));
    Map<String, Value> wanted = expected.asFields().fields();
    expect(
        expected,
        "table " + volume,
        new ArrayList<>(new TreeMap<>(wanted).keySet()),
        new ArrayList<>(rows.keySet()));
    wanted.forEach(
        (alloc, fields) -> {
          Claim claim = rows.get(alloc);
          if (claim != null) {
            row(volume + " " + alloc, claim, fields.asFields());
          }
        });
  }

  private void row(String what, Claim claim, Value.Fields expected) {
    expected.allow("node", "mode", "state", "hold", "stuck");
    expected
        .fields()
        .forEach(
            (name, value) ->
                expect(
                    value,
                    "table " + what + " " + name,
                    value.asText(),
                    switch (name) {
                      case "node" -> claim.node();
                      case "mode" -> words(claim.ask().mode().name());
                      case "state" -> state(claim.state());
                      case "hold" -> claim.hold() == null ? "" : words(claim.hold().code().name());
                      default ->
                          claim.stuck() && claim.hold() != null
                              ? words(claim.hold().code().name())
                              : "";
                    }));
  }

  private static String state(ClaimState state) {
    return state == ClaimState.RESERVING ? "waiting" : words(state.name());
  }

  private void attachments(String volume, Value expected) {
    Map<String, String> actual = new TreeMap<>();
    world.rows(ClaimTables.ATTACHMENTS).values().stream()
        .filter(a -> a.key().toString().equals(key(volume)) && a.published())
        .forEach(a -> actual.put(String.valueOf(a.externalNode()), words(a.state().name())));
    Map<String, String> wanted = new TreeMap<>();
    expected.asFields().fields().forEach((node, state) -> wanted.put(node, state.asText()));
    expect(expected, "attachments " + volume, wanted, actual);
  }

  private static String key(String volume) {
    return volume.contains("/") ? volume : "default/" + volume;
  }

  // ---- what was written

  private <R> List<R> fresh(Topic topic, Class<R> type) {
    List<World.Seen> all = world.seen(topic);
    int from = read.getOrDefault(topic, 0);
    read.put(topic, all.size());
    return all.subList(from, all.size()).stream()
        .map(World.Seen::value)
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  private void replies(Value.Fields expected) {
    Map<String, ClaimReply> last = new LinkedHashMap<>();
    fresh(Topic.CLAIM_REPLIES, ClaimReply.class)
        .forEach(reply -> last.put(reply.getAlloc(), reply));
    expected
        .fields()
        .forEach(
            (alloc, value) -> {
              ClaimReply reply = last.get(alloc);
              if (reply == null) {
                failures.add(new Failure(value.place(), "replies " + alloc, value, "no reply"));
              } else if (value instanceof Value.Fields fields) {
                reply(alloc, reply, fields);
              } else {
                expect(value, "replies " + alloc, value.asText(), words(reply.getOutcome().name()));
              }
            });
  }

  private void reply(String alloc, ClaimReply reply, Value.Fields expected) {
    expected.allow("outcome", "code", "context", "held-by");
    expected
        .fields()
        .forEach(
            (name, value) -> {
              Object actual =
                  switch (name) {
                    case "outcome" -> words(reply.getOutcome().name());
                    case "code" -> reply.getCode().map(code -> words(code.name())).orElse("");
                    case "held-by" -> reply.getHeldBy().orElse("");
                    default -> new TreeMap<>(reply.getPublishContext());
                  };
              Object wanted = value.asTextOrMap();
              expect(value, "replies " + alloc + " " + name, wanted, actual);
            });
  }

  private void stuck(Value expected) {
    List<String> wanted = new ArrayList<>();
    for (Value item : expected.asItems()) {
      Value.Fields f = item.asFields();
      f.allow("volume", "alloc", "code", "resolved");
      wanted.add(
          key(f.text("volume"))
              + " "
              + f.text("alloc")
              + " "
              + (f.flag("resolved", false) ? "resolved" : f.text("code")));
    }
    List<String> actual = new ArrayList<>();
    fresh(Topic.STUCK_CLAIMS, StuckClaim.class)
        .forEach(
            s ->
                actual.add(
                    s.getNamespace()
                        + "/"
                        + s.getVolume()
                        + " "
                        + s.getAlloc()
                        + " "
                        + (s.getResolved() ? "resolved" : words(s.getHold().getCode().name()))));
    wanted.sort(null);
    actual.sort(null);
    expect(expected, "stuck", wanted, actual);
  }

  private void events(Value expected) {
    List<String> actual = new ArrayList<>();
    fresh(Topic.CLAIM_HISTORY, ClaimDecision.class)
        .forEach(decision -> decision.getHappenings().forEach(it -> actual.add(it.getName())));
    expect(expected, "events", expected.asItems().stream().map(Value::asText).toList(), actual);
  }

  private void findings(Value expected) {
    List<String> wanted = new ArrayList<>();
    for (Value item : expected.asItems()) {
      Value.Fields f = item.asFields();
      f.allow("plugin", "external", "node", "kind");
      wanted.add(
          f.text("plugin")
              + " "
              + f.text("external", "")
              + " "
              + f.text("node", "")
              + " "
              + f.text("kind"));
    }
    List<String> actual = new ArrayList<>();
    fresh(Topic.DRIFT_FINDINGS, DriftFinding.class)
        .forEach(
            d ->
                actual.add(
                    d.getPlugin()
                        + " "
                        + d.getExternalVolume().orElse("")
                        + " "
                        + d.getExternalNode().orElse("")
                        + " "
                        + words(d.getKind().name())));
    expect(expected, "findings", wanted, actual);
  }

  private void backlog(String plugin, Value expected) {
    LaneStatus status = world.laneStatus(plugin);
    expected.asFields().allow("queued", "in-flight", "oldest");
    expected
        .asFields()
        .fields()
        .forEach(
            (name, value) -> {
              Object wanted = name.equals("oldest") ? Durations.parse(value) : value.asText();
              Object actual =
                  status == null
                      ? "no lane status"
                      : switch (name) {
                        case "queued" -> Long.toString(status.getQueued());
                        case "in-flight" -> Long.toString(status.getInFlight());
                        default -> status.getOldest().map(this::age).orElse(Duration.ZERO);
                      };
              expect(value, "backlog " + plugin + " " + name, wanted, actual);
            });
  }

  private Duration age(Instant since) {
    return Duration.between(since, world.now());
  }

  private void absent(Value text) {
    byte[] wanted = text.asText().getBytes(StandardCharsets.UTF_8);
    world
        .everything()
        .forEach(
            (topic, records) ->
                records.forEach(
                    record -> {
                      if (record.bytes() != null && indexOf(record.bytes(), wanted) >= 0) {
                        failures.add(
                            new Failure(
                                text.place(),
                                "absent",
                                text.asText(),
                                "it is in " + topic.suffix()));
                      }
                    }));
  }

  private static int indexOf(byte[] in, byte[] wanted) {
    for (int i = 0; i + wanted.length <= in.length; i++) {
      if (java.util.Arrays.equals(in, i, i + wanted.length, wanted, 0, wanted.length)) {
        return i;
      }
    }
    return -1;
  }

  private void result(Value expected) {
    List<CommandResult> results =
        world.seen(Topic.COMMAND_RESULTS).stream()
            .map(World.Seen::value)
            .filter(CommandResult.class::isInstance)
            .map(CommandResult.class::cast)
            .toList();
    if (results.isEmpty()) {
      failures.add(new Failure(expected.place(), "result", expected, "no answer"));
      return;
    }
    CommandResult last = results.get(results.size() - 1);
    String actual =
        last.getOutcome() == CommandOutcome.OK ? "ok" : "refused: " + last.getCode().orElse("");
    String wanted =
        expected instanceof Value.Fields fields
            ? "refused: " + fields.text("refused")
            : expected.asText();
    expect(expected, "result", wanted, actual);
  }

  private static String words(String symbol) {
    return symbol.toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
