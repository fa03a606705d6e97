package dev.berth.ops.scenario;

import dev.berth.records.Acceptance;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimReply;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.DriftFinding;
import dev.berth.records.Happening;
import dev.berth.records.LaneStatus;
import dev.berth.records.StuckClaim;
import dev.berth.schemas.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Checks what was written to topics: since the last check of its kind, or at all. */
final class WrittenExpectations {
  private final World world;
  private final Failures failures;
  private final Map<String, Set<String>> volumesByAlloc;
  private final Map<Topic, Integer> read = new HashMap<>();

  WrittenExpectations(World world, Failures failures, Map<String, Set<String>> volumesByAlloc) {
    this.world = world;
    this.failures = failures;
    this.volumesByAlloc = volumesByAlloc;
  }

  /** How far the topics were seen. */
  Map<Topic, Integer> mark() {
    return Map.copyOf(read);
  }

  /** Goes back to where it was. */
  void reset(Map<Topic, Integer> mark) {
    read.clear();
    read.putAll(mark);
  }

  private <R> List<R> fresh(Topic topic, Class<R> type) {
    List<Seen> all = world.seen(topic);
    int from = read.getOrDefault(topic, 0);
    read.put(topic, all.size());
    return all.subList(from, all.size()).stream()
        .map(Seen::value)
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  // ---- since the last check

  void replies(Value.Fields expected) {
    Map<String, ClaimReply> last = new LinkedHashMap<>();
    fresh(Topic.CLAIM_REPLIES, ClaimReply.class)
        .forEach(reply -> last.put(reply.getAlloc(), reply));
    expected
        .fields()
        .forEach(
            (alloc, value) -> {
              ClaimReply reply = last.get(alloc);
              About about = About.volumes(volumesByAlloc.getOrDefault(alloc, Set.of()));
              if (reply == null) {
                failures.add(value.place(), "replies " + alloc, value, "no reply", about);
              } else if (value instanceof Value.Fields fields) {
                reply(alloc, reply, fields, about);
              } else {
                failures.expect(
                    value.place(),
                    "replies " + alloc,
                    value.asText(),
                    Words.of(reply.getOutcome()),
                    about);
              }
            });
  }

  private void reply(String alloc, ClaimReply reply, Value.Fields expected, About about) {
    expected
        .fields()
        .forEach(
            (name, value) -> {
              Object actual =
                  switch (name) {
                    case "outcome" -> Words.of(reply.getOutcome());
                    case "code" -> reply.getCode().map(Words::of).orElse("");
                    case "held-by" -> reply.getHeldBy().orElse("");
                    default -> new TreeMap<>(reply.getPublishContext());
                  };
              failures.expect(
                  value.place(),
                  "replies " + alloc + " " + name,
                  value.asTextOrMap(),
                  actual,
                  about);
            });
  }

  void stuck(Value expected) {
    Set<String> volumes = new LinkedHashSet<>();
    List<String> wanted = new ArrayList<>();
    for (Value item : expected.asItems()) {
      Value.Fields f = item.asFields();
      String volume = Words.volumeKey(f.text("volume"));
      volumes.add(volume);
      String code = f.flag("resolved", false) ? "resolved" : f.text("code");
      String about = f.find("alloc").isPresent() ? f.text("alloc") : "@" + f.text("node");
      wanted.add(volume + " " + about + " " + code);
    }
    List<String> actual = new ArrayList<>();
    for (StuckClaim s : fresh(Topic.STUCK_CLAIMS, StuckClaim.class)) {
      String volume = s.getNamespace() + "/" + s.getVolume();
      volumes.add(volume);
      String code = s.getResolved() ? "resolved" : Words.of(s.getHold().getCode());
      String about = s.getAlloc().isEmpty() ? "@" + s.getNode() : s.getAlloc();
      actual.add(volume + " " + about + " " + code);
    }
    wanted.sort(null);
    actual.sort(null);
    failures.expect(expected.place(), "stuck", wanted, actual, About.volumes(volumes));
  }

  void events(Value expected) {
    List<String> actual =
        fresh(Topic.CLAIM_HISTORY, ClaimDecision.class).stream()
            .flatMap(decision -> decision.getHappenings().stream())
            .map(Happening::getName)
            .filter(Grammar.EVENTS::contains)
            .toList();
    failures.expect(
        expected.place(),
        "events",
        expected.asItems().stream().map(Value::asText).toList(),
        actual,
        About.everything());
  }

  void findings(Value expected) {
    List<String> wanted = new ArrayList<>();
    for (Value item : expected.asItems()) {
      Value.Fields f = item.asFields();
      wanted.add(
          String.join(
              " ", f.text("plugin"), f.text("external", ""), f.text("node", ""), f.text("kind")));
    }
    List<String> actual = new ArrayList<>();
    fresh(Topic.DRIFT_FINDINGS, DriftFinding.class)
        .forEach(
            d ->
                actual.add(
                    String.join(
                        " ",
                        d.getPlugin(),
                        d.getExternalVolume().orElse(""),
                        d.getExternalNode().orElse(""),
                        Words.of(d.getKind()))));
    failures.expect(expected.place(), "findings", wanted, actual, About.everything());
  }

  // ---- at all

  void backlog(String plugin, Value expected) {
    LaneStatus status = world.laneStatus(plugin);
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
              failures.expect(
                  value.place(),
                  "backlog " + plugin + " " + name,
                  wanted,
                  actual,
                  About.plugin(plugin));
            });
  }

  private Duration age(Instant since) {
    return Duration.between(since, world.now());
  }

  /** The worker that accepted a plugin's work last. */
  void owner(String plugin, Value expected) {
    String last =
        world
            .everything()
            .filter(record -> record.topic() == Topic.WORK_ACCEPTANCES)
            .map(Seen::value)
            .filter(Acceptance.class::isInstance)
            .map(Acceptance.class::cast)
            .filter(acceptance -> acceptance.getPlugin().equals(plugin))
            .reduce((earlier, later) -> later)
            .map(Acceptance::getWorker)
            .orElse("nobody yet");
    failures.expect(
        expected.place(), "owner " + plugin, expected.asText(), last, About.plugin(plugin));
  }

  void absent(Value text) {
    byte[] wanted = text.asText().getBytes(StandardCharsets.UTF_8);
    world
        .everything()
        .filter(
            record ->
                record.key().contains(text.asText())
                    || (record.bytes() != null && contains(record.bytes(), wanted)))
        .forEach(record -> present(text, record.topic().suffix() + " " + record.key()));
    world
        .logged()
        .filter(line -> line.contains(text.asText()))
        .forEach(line -> present(text, "the log: " + line));
    world
        .metrics()
        .filter(metric -> metric.contains(text.asText()))
        .forEach(metric -> present(text, "the metrics: " + metric));
  }

  private void present(Value text, String where) {
    failures.add(
        text.place(), "absent", "'" + text + "' nowhere", "it is in " + where, About.everything());
  }

  private static boolean contains(byte[] in, byte[] wanted) {
    for (int i = 0; i + wanted.length <= in.length; i++) {
      if (Arrays.equals(in, i, i + wanted.length, wanted, 0, wanted.length)) {
        return true;
      }
    }
    return false;
  }

  void result(Value expected) {
    List<CommandResult> results =
        world.seen(Topic.COMMAND_RESULTS).stream()
            .map(Seen::value)
            .filter(CommandResult.class::isInstance)
            .map(CommandResult.class::cast)
            .toList();
    String actual = results.isEmpty() ? "no answer" : text(results.get(results.size() - 1));
    String wanted =
        expected instanceof Value.Fields fields
            ? "refused: " + fields.text("refused")
            : expected.asText();
    failures.expect(expected.place(), "result", wanted, actual, About.everything());
  }

  private static String text(CommandResult result) {
    return result.getOutcome() == CommandOutcome.OK
        ? "ok"
        : "refused: " + result.getCode().orElse("");
  }
}
