package dev.berth.ops.scenario;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.AttachmentState;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimState;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.DriftKind;
import dev.berth.records.HoldCode;
import dev.berth.records.JobType;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginRole;
import dev.berth.records.RejectCode;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.RpcCode;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.command.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The words and fields of scenario files, as FORMAT.md tells them: what stands in no row here is an
 * error. Which names a file may use is the business of {@link Names}.
 */
final class Grammar {
  /** What a newer writer would have meant is no word of a file. */
  private static final String UNRECOGNIZED = "unrecognized";

  private static final List<String> HOLDS = Shape.words(HoldCode.class, UNRECOGNIZED);
  private static final List<String> OUTCOMES = Shape.words(ReplyOutcome.class);

  /** What happens to claims; the history also tells what happens to volumes and attachments. */
  static final List<String> EVENTS =
      List.of(
          "waiting",
          "taken",
          "granted",
          "rejected",
          "unpublishing",
          "node-detached",
          "controller-detached",
          "released",
          "held",
          "stuck",
          "resolved",
          "command");

  /** A claim that has asked for a slot counts as waiting in files. */
  private static final Shape STATE = Shape.word(ClaimState.class, "reserving");

  private static final Shape ACCESS = Shape.word(AccessMode.class);
  private static final Shape ATTACHMENT = Shape.word(AttachmentMode.class);
  private static final Shape MODE = Shape.word(ClaimMode.class);
  private static final Shape RPC = Shape.text(Rpc::isNotation, Rpc.FORM);
  private static final Shape RPC_BEGIN =
      Shape.text(Rpc::isBeginOfNotation, "the begin of an RPC, such as CP vol-a: " + Rpc.FORM);
  private static final Shape CODE =
      Shape.word(
          Stream.concat(Stream.of("ok"), Arrays.stream(RpcCode.values()).map(RpcCode::name))
              .toList());

  private static final Shape ONE_COMMAND =
      Shape.fields()
          .may("detach", ofVolume().need("node", Shape.name()))
          .may("retry", ofVolume().may("alloc", Shape.name()))
          .may("assume-detached", ofVolume().need("node", Shape.name()))
          .may("unblock", ofVolume())
          .may("fence", Shape.fields().need("node", Shape.name()))
          .may("unfence", Shape.fields().need("node", Shape.name()))
          .may("pause", Shape.fields().need("plugin", Shape.name()))
          .may("resume", Shape.fields().need("plugin", Shape.name()))
          .may("gc", Shape.fields())
          .may("by", Shape.text())
          .may("reason", Shape.text());

  private static final Shape VOLUME =
      Shape.fields()
          .need("id", Shape.name())
          .may("namespace", Shape.name())
          .need("plugin", Shape.name())
          .need("external", Shape.name())
          .need(
              "capabilities",
              Shape.list(Shape.fields().need("access", ACCESS).may("attachment", ATTACHMENT)))
          .may("secrets", Shape.map(Shape.name()))
          .may("topologies", Shape.list(Shape.map(Shape.text())))
          .may("parameters", Shape.map(Shape.text()));

  private static final Shape PLUGIN =
      Shape.fields()
          .need("id", Shape.name())
          .need("node", Shape.name())
          .need("role", Shape.word(PluginRole.class))
          .need("health", Shape.word(PluginHealth.class))
          .may("external-node", Shape.text())
          .may("max-volumes", Shape.whole(0))
          .may("stage", Shape.flag())
          .may("attach", Shape.flag())
          .may("list-published", Shape.flag())
          .may("publish-readonly", Shape.flag());

  private static final Shape CLAIM =
      Shape.fields()
          .need("alloc", Shape.name())
          .need("node", Shape.name())
          .need("volume", Shape.name())
          .may("namespace", Shape.name())
          .need("mode", MODE)
          .need("access", ACCESS)
          .may("attachment", ATTACHMENT)
          .may("index", Shape.whole(1))
          .may("stop-on-disconnect", Shape.duration())
          .may("block", Shape.name())
          .may("job-type", Shape.word(JobType.class))
          .may("scheduler", Shape.name());

  private static final Shape ALLOC =
      Shape.fields()
          .need("id", Shape.name())
          .need("status", Shape.word(ClientStatus.class, UNRECOGNIZED))
          .may("desired", Shape.word(DesiredStatus.class, UNRECOGNIZED))
          .may("index", Shape.whole(1))
          .may("scheduler", Shape.name());

  private static final Shape LISTING =
      Shape.fields()
          .need("plugin", Shape.name())
          .need("taken-at", Shape.duration())
          .may("entries", Shape.map(Shape.list(Shape.text())))
          .may("complete", Shape.flag());

  private static final Shape ANSWER =
      Shape.fields()
          .need("rpc", RPC)
          .may("with", CODE)
          .may("context", Shape.map(Shape.text()))
          .may("message", Shape.text())
          .may("effect", Shape.flag())
          .may("within", Shape.duration());

  private static final Shape EXPECT =
      Shape.fields()
          .may("rpcs", Shape.list(rpcOrGroup()))
          .may("open", Shape.list(RPC))
          .may("table", Shape.map(Shape.map(claimRow())))
          .may("attachments", Shape.map(Shape.map(Shape.word(AttachmentState.class))))
          .may("replies", Shape.map(Shape.either(Shape.word(OUTCOMES), reply())))
          .may("stuck", Shape.list(stuck()))
          .may("events", Shape.list(Shape.word(EVENTS)))
          .may("counts", Shape.map(Shape.word(Rpc.KINDS), Shape.whole(0)))
          .may("backlog", Shape.map(backlog()))
          .may("eta", Shape.map(range()))
          .may("findings", Shape.list(finding()))
          .may("no-overlap", Shape.list(Shape.name()))
          .may("owner", Shape.map(Shape.name()))
          .may("absent", Shape.list(Shape.name()))
          .may("result", Shape.either(Shape.word(List.of("ok")), refusal()));

  private static final Map<String, Shape> STEPS = new LinkedHashMap<>();

  static {
    STEPS.put("volume", VOLUME);
    STEPS.put(
        "volume-gone",
        Shape.fields()
            .need("id", Shape.name())
            .may("namespace", Shape.name())
            .may("force", Shape.flag()));
    STEPS.put(
        "node",
        Shape.fields()
            .need("id", Shape.name())
            .need("status", Shape.word(NodeStatus.class, UNRECOGNIZED))
            .may("eligible", Shape.flag())
            .may("scheduler", Shape.name()));
    STEPS.put("plugin", PLUGIN);
    STEPS.put("policy", Settings::checkNarrower);
    STEPS.put("claim", CLAIM);
    STEPS.put("alloc", ALLOC);
    STEPS.put(
        "alloc-gone",
        Shape.fields()
            .need("id", Shape.name())
            .may("generation", Shape.whole(0))
            .may("index", Shape.whole(1))
            .may("scheduler", Shape.name()));
    STEPS.put("unmounted", unmount());
    STEPS.put("unmount-failed", unmount().may("error", Shape.text()));
    STEPS.put("command", Grammar::command);
    STEPS.put("listing", LISTING);
    STEPS.put("secret", Grammar::secret);
    STEPS.put(
        "row",
        ofVolume()
            .need("alloc", Shape.name())
            .may("node", Shape.name())
            .may("mode", MODE)
            .may("access", ACCESS)
            .may("attachment", ATTACHMENT)
            .may("state", STATE)
            .may("generation", Shape.whole(0))
            .may("plugin", Shape.name())
            .may("external", Shape.name())
            .may("external-node", Shape.text())
            .may("controller-required", Shape.flag()));
    STEPS.put(
        "raw",
        Shape.fields()
            .need("topic", Shape.word(Arrays.stream(Topic.values()).map(Topic::suffix).toList()))
            .need("key", Shape.text())
            .need("value", Shape.text()));
    STEPS.put(
        "advance", Shape.either(Shape.duration(), Shape.fields().need("to", Shape.duration())));
    STEPS.put("restart", Shape.word(List.of("streams", "worker", "all")));
    STEPS.put("rebalance", Shape.fields().need("plugin", Shape.name()));
    STEPS.put("answer", ANSWER);
    STEPS.put(
        "script",
        Shape.fields()
            .need("rpc", RPC_BEGIN)
            .may("with", Shape.list(CODE))
            .may("delay", Shape.duration()));
    STEPS.put(Scenario.REPEAT, Shape.text());
    STEPS.put("expect", EXPECT);
  }

  private Grammar() {}

  /** Says what of a step cannot be understood. */
  static void check(Scenario.Step step, Problems problems) {
    Shape shape = STEPS.get(step.kind());
    if (shape == null) {
      problems.add(
          step.place(),
          "unknown step '" + step.kind() + "': known are " + String.join(", ", STEPS.keySet()));
    } else {
      shape.check(step.body(), step.kind(), problems);
    }
  }

  /** The steps there are, for those who hold the documentation against them. */
  static List<String> steps() {
    return List.copyOf(STEPS.keySet());
  }

  /** What can be expected, for those who hold the documentation against it. */
  static List<String> expectations() {
    return List.copyOf(((Shape.Named) EXPECT).known().keySet());
  }

  // ---- parts

  private static Shape.Named ofVolume() {
    return Shape.fields().need("volume", Shape.name()).may("namespace", Shape.name());
  }

  private static Shape.Named unmount() {
    return ofVolume()
        .need("alloc", Shape.name())
        .may("generation", Shape.whole(0))
        .may("index", Shape.whole(1))
        .may("scheduler", Shape.name());
  }

  private static void command(Value value, String what, Problems problems) {
    ONE_COMMAND.check(value, what, problems);
    if (value instanceof Value.Fields fields) {
      List<String> commands = new ArrayList<>(fields.fields().keySet());
      commands.removeAll(List.of("by", "reason"));
      if (commands.size() != 1) {
        problems.add(
            fields.place(), what + ": give exactly one command with its fields, not " + commands);
      }
    }
  }

  private static void secret(Value value, String what, Problems problems) {
    Shape.fields()
        .need("ref", Shape.name())
        .may("value", Shape.text())
        .may("gone", Shape.flag())
        .check(value, what, problems);
    if (value instanceof Value.Fields fields
        && fields.find("value").isPresent()
            == fields.find("gone").filter(gone -> gone.toString().equals("true")).isPresent()) {
      problems.add(fields.place(), what + ": give either a value or 'gone: true'");
    }
  }

  private static Shape rpcOrGroup() {
    Shape group = Shape.list(RPC);
    return (value, what, problems) ->
        (value instanceof Value.Items ? group : RPC).check(value, what, problems);
  }

  private static Shape claimRow() {
    return Shape.fields()
        .may("node", Shape.name())
        .may("mode", MODE)
        .may("state", STATE)
        .may("hold", Shape.wordOrNone(HOLDS))
        .may("stuck", Shape.wordOrNone(HOLDS))
        .may("held-by", Shape.name());
  }

  private static Shape reply() {
    return Shape.fields()
        .may("outcome", Shape.word(OUTCOMES))
        .may("code", Shape.word(RejectCode.class, UNRECOGNIZED))
        .may("context", Shape.map(Shape.text()))
        .may("held-by", Shape.name());
  }

  private static Shape stuck() {
    Shape shape =
        Shape.fields()
            .need("volume", Shape.name())
            .may("alloc", Shape.name())
            .may("node", Shape.name())
            .may("code", Shape.word(HOLDS))
            .may("resolved", Shape.flag());
    return (value, what, problems) -> {
      shape.check(value, what, problems);
      if (value instanceof Value.Fields fields
          && fields.find("code").isEmpty()
          && fields.find("resolved").filter(it -> it.toString().equals("true")).isEmpty()) {
        problems.add(fields.place(), what + ": give a code or 'resolved: true'");
      }
      if (value instanceof Value.Fields fields
          && fields.find("alloc").isPresent() == fields.find("node").isPresent()) {
        problems.add(
            fields.place(),
            what + ": give the alloc, or the provider's node where there is no claim");
      }
    };
  }

  private static Shape backlog() {
    return Shape.fields()
        .may("queued", Shape.whole(0))
        .may("in-flight", Shape.whole(0))
        .may("oldest", Shape.duration());
  }

  private static Shape range() {
    Shape durations = Shape.list(Shape.duration());
    return (value, what, problems) -> {
      durations.check(value, what, problems);
      if (value instanceof Value.Items items && items.items().size() != 2) {
        problems.add(value.place(), what + ": write [at least, at most]");
      }
    };
  }

  private static Shape finding() {
    return Shape.fields()
        .need("plugin", Shape.name())
        .may("external", Shape.text())
        .may("node", Shape.text())
        .need("kind", Shape.word(DriftKind.class));
  }

  private static Shape refusal() {
    return Shape.fields().need("refused", Shape.word(Refusal.class));
  }
}
