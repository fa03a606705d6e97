package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.record.Recording;
import dev.berth.ops.record.ScenarioRecorder;
import dev.berth.ops.record.Wanted;
import dev.berth.ops.scenario.Failure;
import dev.berth.ops.scenario.Scenario;
import dev.berth.ops.scenario.ScenarioException;
import dev.berth.ops.scenario.ScenarioRunner;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.topics.VolumeRecords;
import dev.berth.producers.Connection;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth scenario record}. */
@Command(
    name = "record",
    description = {
      "Writes what happened to a volume as a scenario, from the topics.",
      "What came in becomes steps, what the system did becomes expectations, so that a",
      "bug report is a file. It begins at the last moment before --from at which the",
      "volume had no claim. Secrets are references; what plugins said is as the topics",
      "have it, redacted. What a file cannot say: RECORD.md of ops/scenarios.",
      "Then the file is run in virtual time. Exits 0 when it ends as it did in reality",
      "and 1 when it does not: the file is written all the same, and the first",
      "difference shown."
    },
    footer = {
      "",
      "Examples:",
      "  berth scenario record --volume default/db --from 2h --out incident.yaml \\",
      "      --config berth.properties",
      "  berth scenario record --volume prod/db --from 2026-03-01T10:00:00Z \\",
      "      --to 2026-03-01T11:00:00Z --no-check --config berth.properties"
    })
final class ScenarioRecordCommand implements Callable<Integer> {

  /** The parts of a running system answer each other faster; see {@link Wanted#quiet}. */
  private static final Duration QUIET = Duration.ofMillis(500);

  @Option(
      names = "--volume",
      required = true,
      paramLabel = "NS/ID",
      description = "The volume, with its namespace. May be repeated: one file for all.")
  private Set<String> volumes = new LinkedHashSet<>();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = {
        "What is to be in the file: from a time (2026-03-01T10:15:00Z) or",
        "from so long ago (2h) on (default: from the first that is kept)."
      })
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Until when, in the same form (default: the last that happened).")
  private @Nullable String to;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to write it (default: standard output).")
  private @Nullable Path out;

  @Option(names = "--no-check", description = "Does not run it.")
  private boolean unchecked;

  @Mixin private final OutputOption output = new OutputOption();

  @Mixin private final ConnectionOptions options = new ConnectionOptions();

  private final Terminal terminal;
  private final Clock clock;

  ScenarioRecordCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws IOException {
    Instant first = time("--from", from);
    Instant last = time("--to", to);
    if (first != null && last != null && !first.isBefore(last)) {
      throw options.usage("--from %s is not before --to %s".formatted(first, last));
    }
    for (String volume : volumes) {
      if (!volume.matches("[^/]+/[^/]+")) {
        throw options.usage("--volume '" + volume + "' is no volume: write namespace/id");
      }
    }
    Connection connection = options.connection();
    try (Progress progress = new Progress(terminal, System::nanoTime)) {
      VolumeRecords read = VolumeRecords.read(connection, volumes, progress::step);
      Recording recording =
          ScenarioRecorder.record(
              read.inOrder(), new Wanted(id(), volumes, first, last, QUIET, read.sources()));
      write(recording);
      progress.step("running it");
      Optional<String> difference = unchecked ? Optional.empty() : difference(recording);
      progress.clear();
      say(recording, difference, read.unreadable());
      return difference.isPresent() ? ExitCode.FAILED : ExitCode.OK;
    }
  }

  private @Nullable Instant time(String option, @Nullable String text) {
    try {
      return text == null ? null : PointInTime.parse(text, clock);
    } catch (IllegalArgumentException e) {
      throw options.usage(option + ": " + e.getMessage());
    }
  }

  private String id() {
    return "recorded-" + String.join("-", volumes).replaceAll("[^A-Za-z0-9._-]", "-");
  }

  private void write(Recording recording) throws IOException {
    if (out != null) {
      Files.writeString(out, recording.text());
    } else if (output.forPeople()) {
      terminal.out().print(recording.text());
      terminal.out().flush();
    }
  }

  private String fileName() {
    return out == null ? "recorded.yaml" : out.toString();
  }

  /**
   * The first difference between what the file does and what happened; empty when there is none.
   */
  private Optional<String> difference(Recording recording) {
    try {
      Scenario scenario = Scenario.read(fileName(), recording.text(), fixture -> Optional.empty());
      List<Failure> failures = ScenarioRunner.run(scenario).failures();
      return failures.stream().findFirst().map(ScenarioRecordCommand::text);
    } catch (ScenarioException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static String text(Failure failure) {
    return "%s:%d: %s: in reality %s, in the file %s"
        .formatted(
            failure.file(), failure.line(), failure.what(), failure.expected(), failure.actual());
  }

  private void say(Recording recording, Optional<String> difference, int unreadable) {
    if (!output.forPeople()) {
      output.print(terminal, () -> json(recording, difference, unreadable), List::of);
      return;
    }
    // What is said must not stand in the file.
    PrintStream to = out == null ? terminal.err() : terminal.out();
    to.println(
        "Recorded from %s to %s%s"
            .formatted(
                recording.begin(), recording.end(), out == null ? "" : ", in " + fileName()));
    recording.notes().forEach(note -> to.println("Note: " + note));
    if (unreadable > 0) {
      to.println("Note: records that could not be read: " + unreadable);
    }
    if (!unchecked) {
      to.println(
          difference
              .map(found -> terminal.bad("It does not end as it did: ") + found)
              .orElse(terminal.good("It ends as it did")));
    }
  }

  private ObjectNode json(Recording recording, Optional<String> difference, int unreadable) {
    ObjectNode json = JsonOutput.mapper().createObjectNode();
    json.put("begin", recording.begin().toString());
    json.put("end", recording.end().toString());
    json.put("complete", recording.complete());
    ArrayNode notes = json.putArray("notes");
    recording.notes().forEach(notes::add);
    json.put("unreadable", unreadable);
    if (out == null) {
      json.put("text", recording.text());
    } else {
      json.put("file", fileName());
    }
    if (!unchecked) {
      json.put("holds", difference.isEmpty());
      difference.ifPresent(found -> json.put("difference", found));
    }
    return json;
  }
}
