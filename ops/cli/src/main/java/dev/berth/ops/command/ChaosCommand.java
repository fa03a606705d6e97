package dev.berth.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.chaos.ChaosResult;
import dev.berth.ops.chaos.ChaosRun;
import dev.berth.ops.chaos.ChaosSchedule;
import dev.berth.ops.chaos.GroupProtocols;
import dev.berth.ops.logging.LogFile;
import dev.berth.ops.stack.TemporaryData;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth chaos}. */
@Command(
    name = "chaos",
    description = {
      "Kills, stops and restarts Berth's processes, and checks what follows.",
      "Starts broker, plugins, two Streams instances and three workers as processes",
      "of their own. Exits 1, with the evidence, when a rule was broken."
    },
    footer = {
      "",
      "Examples:",
      "  berth chaos --seed 7 --minutes 3",
      "  berth chaos --seeds 1-30 --resume chaos.json"
    })
final class ChaosCommand implements Callable<Integer> {

  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})-(\\d{1,9})");

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "The same seed gives the same schedule (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--seeds",
      paramLabel = "FROM-TO",
      description = "Runs of all these seeds, one after the other.")
  private @Nullable String seeds;

  @Option(
      names = "--minutes",
      paramLabel = "NUMBER",
      defaultValue = "3",
      description = "Length of the load, 0.5 or more (default: ${DEFAULT-VALUE}).")
  private double minutes;

  @Option(
      names = "--groups",
      paramLabel = "PROTOCOLS",
      description = "classic or new group protocols (default: odd seeds classic, even ones new).")
  private @Nullable GroupProtocols groups;

  @Option(
      names = "--calls-outlive",
      description = "Slow calls go on inside the plugin when their caller has gone.")
  private boolean outlive;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description = {
        "Passes over seeds whose run of the same length, groups and calls is in this",
        "file, and adds the others' results to it. The exit code tells of all of them.",
        "A file of a Berth whose seeds had other schedules is refused."
      })
  private @Nullable Path resume;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Keeps data, logs and the plugins' call log in this directory, by seed.")
  private @Nullable Path keep;

  @Mixin private final OutputOption output = new OutputOption();

  @Spec private CommandSpec spec;
  private final Terminal terminal;

  ChaosCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    long first = seed;
    long last = seed;
    if (seeds != null) {
      Matcher range = RANGE.matcher(seeds);
      if (!range.matches()) {
        throw new ParameterException(
            spec.commandLine(), "--seeds: '%s' is no range; write 1-30".formatted(seeds));
      }
      first = Long.parseLong(range.group(1));
      last = Long.parseLong(range.group(2));
    }
    schedule(first);
    ArrayNode results = earlier();
    boolean good = true;
    for (long next = first; next <= last; next++) {
      Optional<JsonNode> earlier = find(results, schedule(next));
      if (earlier.isEmpty()) {
        ChaosResult result = run(schedule(next));
        results.add(result.json(JsonOutput.mapper()));
        save(results);
        good &= result.isGood();
      } else {
        good &= earlier.get().path("good").asBoolean();
      }
    }
    // People have read of each run as it ended.
    output.print(terminal, () -> results, List::of);
    return good ? ExitCode.OK : ExitCode.FAILED;
  }

  private Optional<JsonNode> find(ArrayNode results, ChaosSchedule schedule) {
    return results
        .valueStream()
        .filter(result -> result.path("seed").asLong() == schedule.seed())
        .filter(result -> result.path("seconds").asLong() == schedule.length().toSeconds())
        .filter(result -> result.path("callsOutlive").asBoolean() == outlive)
        .filter(result -> result.path("groups").asText().equals(groups(schedule).word()))
        .findFirst();
  }

  private GroupProtocols groups(ChaosSchedule schedule) {
    return groups != null ? groups : GroupProtocols.ofSeed(schedule.seed());
  }

  private ChaosSchedule schedule(long ofSeed) {
    try {
      return ChaosSchedule.of(ofSeed, Duration.ofMillis((long) (minutes * 60_000)));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--minutes: " + e.getMessage(), e);
    }
  }

  private ChaosResult run(ChaosSchedule schedule) throws InterruptedException {
    if (output.forPeople()) {
      terminal
          .out()
          .println(
              "schedule of seed %d, version %d".formatted(schedule.seed(), ChaosSchedule.VERSION));
      schedule.faults().forEach(fault -> terminal.out().println("  " + fault.text()));
    }
    try (TemporaryData data = TemporaryData.create("berth-chaos-", false);
        Progress progress = new Progress(terminal, System::nanoTime)) {
      Path directory = keep == null ? data.path() : directory(schedule.seed());
      LogFile.open(directory.resolve("chaos.log"), false);
      ChaosResult result =
          new ChaosRun(schedule, groups(schedule), outlive, directory).run(progress::step);
      progress.clear();
      if (output.forPeople()) {
        result.text().forEach(terminal.out()::println);
      }
      return result;
    } finally {
      LogFile.silence();
    }
  }

  private Path directory(long ofSeed) {
    Path directory =
        Optional.ofNullable(keep).orElseThrow().toAbsolutePath().resolve("seed-" + ofSeed);
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(directory + " cannot be made: " + e.getMessage(), e);
    }
  }

  private ArrayNode earlier() {
    ArrayNode none = JsonOutput.mapper().createArrayNode();
    if (resume == null || !Files.exists(resume)) {
      return none;
    }
    try {
      JsonNode read = JsonOutput.mapper().readTree(resume.toFile());
      if (read instanceof ArrayNode results
          && results.valueStream().allMatch(ObjectNode.class::isInstance)) {
        results.forEach(this::requireOurSchedules);
        return results;
      }
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(),
          "--resume: %s is unreadable: %s".formatted(resume, e.getMessage()),
          e);
    }
    throw new ParameterException(
        spec.commandLine(), "--resume: %s holds no results of this command".formatted(resume));
  }

  /** Results had no version before the second. */
  private void requireOurSchedules(JsonNode result) {
    int version = result.path("schedule").asInt(1);
    if (version != ChaosSchedule.VERSION) {
      throw new ParameterException(
          spec.commandLine(),
          "--resume: %s holds results of version %d of the schedules, and this is version %d: name"
                  .formatted(resume, version, ChaosSchedule.VERSION)
              + " another file");
    }
  }

  private void save(ArrayNode results) {
    if (resume != null) {
      try {
        Files.writeString(resume, JsonOutput.text(results));
      } catch (IOException e) {
        throw new UncheckedIOException(resume + " cannot be written: " + e.getMessage(), e);
      }
    }
  }
}
