package dev.berth.ops.record;

import dev.berth.records.Call;
import dev.berth.records.Work;
import dev.berth.records.WorkCall;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Writes a scenario from the records of a running system, so that a bug report is a file. */
public final class ScenarioRecorder {
  /** In force where calls begin earlier than they did; the end of each is in the file. */
  private static final String LONGEST_CALL = "1h";

  private ScenarioRecorder() {}

  /**
   * Records what happened to volumes.
   *
   * @param records records of any topics, in the order in which they were written as far as it is
   *     known; what does not concern the volumes is passed over
   * @param wanted what is to be recorded
   * @throws IllegalArgumentException when no record tells of the volumes
   */
  public static Recording record(List<Kept> records, Wanted wanted) {
    Instant to = wanted.to();
    List<Kept> kept =
        records.stream().filter(record -> to == null || !record.at().isAfter(to)).toList();
    Concern concern = new Concern(wanted.volumes(), kept);
    if (kept.stream().noneMatch(concern::isStory)) {
      throw new IllegalArgumentException(
          "no record that is kept tells of "
              + String.join(", ", wanted.sorted())
              + ": check the name, as namespace/id, and the times");
    }
    return new Recorder(kept, wanted, concern).record();
  }

  /** One recording. */
  private static final class Recorder {
    private final List<Kept> records;
    private final List<Kept> replayed;
    private final Wanted wanted;
    private final Concern concern;
    private final Begin begin;
    private final Instant first;
    private final Instant zero;
    private final Instant lastKept;
    private final Set<String> notes = new LinkedHashSet<>();

    Recorder(List<Kept> records, Wanted wanted, Concern concern) {
      this.records = records;
      this.wanted = wanted;
      this.concern = concern;
      begin = Begin.find(records, wanted, concern);
      replayed = records.subList(begin.position(), records.size());
      lastKept = records.get(records.size() - 1).at();
      first = replayed.isEmpty() ? lastKept : replayed.get(0).at();
      // Collections run at multiples of their intervals: full hours keep what a clock says of them.
      zero = first.truncatedTo(ChronoUnit.HOURS);
    }

    Recording record() {
      Setup setup = new Setup(records, begin.position(), concern);
      Secrets secrets = new Secrets();
      List<Step> steps = new ArrayList<>(setup.steps(secrets));
      Set<String> allocs = Story.asking(replayed, concern);
      Calls calls = new Calls(records, concern, lastKept, wanted.quiet().isZero());
      Story story = new Story(concern, calls, zero, secrets, allocs, steps);
      replayed.forEach(story::tell);
      Instant end = wanted.to() == null ? story.end() : wanted.to();
      Script script =
          new Script(new Observed(wanted, allocs, concern.lanesShared()), wanted.quiet(), zero);
      story.items().forEach(script::add);
      script.end(end);
      steps.addAll(script.steps());
      steps.addAll(0, undeclared(steps));
      notes.addAll(story.notes());
      if (!begin.missing().isEmpty()) {
        notes.add(
            "claims from before what is kept are not in the file, so it cannot end as it did: "
                + String.join(", ", begin.missing()));
      }
      if (concern.lanesShared()) {
        notes.add(
            "calls for other volumes went through the same plugin: here none waits for them, so an"
                + " RPC may begin earlier than it did and has the longest time to end");
      }
      return new Recording(
          text(setup.defaults(), steps, end),
          first,
          end,
          begin.missing().isEmpty(),
          List.copyOf(notes));
    }

    /** What calls name and no record that is kept says any more. */
    private List<Step> undeclared(List<Step> steps) {
      Set<String> nodes = new LinkedHashSet<>();
      Set<String> externals = new LinkedHashSet<>();
      for (Step step : steps) {
        if (step.kind().equals("node")) {
          nodes.add(String.valueOf(step.fields().get("id")));
        } else if (step.kind().equals("plugin")) {
          externals.add(String.valueOf(step.fields().get("external-node")));
        }
      }
      List<Step> added = new ArrayList<>();
      for (Work work : concern.works()) {
        node(work.getInstanceNode(), nodes, added);
        for (WorkCall call : work.getCalls()) {
          if (concern.isOurs(call)) {
            node(call.getCall().getNode(), nodes, added);
            externalNode(work.getPlugin(), call.getCall(), externals, added);
          }
        }
      }
      return added;
    }

    private void node(String node, Set<String> known, List<Step> added) {
      if (known.add(node)) {
        notes.add("what was said of node " + node + " is no longer kept: it is taken for ready");
        added.add(Step.of("node").with("id", node).with("status", "ready"));
      }
    }

    private void externalNode(String plugin, Call call, Set<String> known, List<Step> added) {
      String external = call.getExternalNode().orElse(null);
      if (external != null && known.add(external)) {
        notes.add("the instance that named node " + external + " is no longer kept");
        added.add(
            Step.of("plugin")
                .with("id", plugin)
                .with("node", call.getNode())
                .with("role", "node")
                .with("health", "healthy")
                .with("external-node", external));
      }
    }

    // ---- the file

    private String text(Map<String, String> defaults, List<Step> steps, Instant end) {
      List<String> lines = new ArrayList<>();
      lines.add("# Recorded from the topics of a running system:");
      lines.add("# " + String.join(", ", wanted.sorted()) + " from " + first + " to " + end + ";");
      lines.add("# +0s of the scenario is " + zero + ".");
      lines.add(
          begin.missing().isEmpty()
              ? "# It begins at a moment at which the table had no claim of it."
              : "# It begins with the first record that is kept; by then there were claims.");
      wanted.sources().forEach(source -> lines.add("# From " + source + "."));
      notes.forEach(note -> lines.add("# Note: " + note + "."));
      lines.add("id: " + Flow.text(wanted.id()));
      lines.add("title: " + Flow.text("What happened to " + String.join(", ", wanted.sorted())));
      Map<String, String> policy = new TreeMap<>(defaults);
      if (concern.lanesShared()) {
        policy.put("rpc-timeout", LONGEST_CALL);
      }
      if (!policy.isEmpty()) {
        lines.add("policy: " + Flow.text(policy));
      }
      lines.add("answers: manual");
      lines.add("steps:");
      steps.forEach(step -> lines.add(step.text()));
      return String.join("\n", lines) + "\n";
    }
  }
}
