package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.explore.Exploration;
import dev.berth.ops.explore.Explorer;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import dev.berth.streams.policy.DurationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth scenario explore}: looks at everything that can happen in a small world. */
@Command(
    name = "explore",
    description = {
      "Looks at everything that can happen in a small world, breadth first.",
      "Two volumes, two nodes, two allocs for each volume and one plugin: whatever",
      "schedulers, operators, nodes, plugins and crashes do, in every order, the rules",
      "must hold in each state, and the empty table must be reachable from it. The first",
      "thing found wrong ends the search; the shortest way there is printed, and written",
      "as a scenario file."
    },
    footer = {
      "",
      "Exit codes: 0 nothing was found, 1 something is wrong, 2 not understood.",
      "",
      "Examples:",
      "  berth scenario explore",
      "  berth scenario explore --for 30s --volumes single",
      "  berth scenario explore --for 1h --states 20000000 -o json"
    })
final class ScenarioExploreCommand implements Callable<Integer> {
  private static final Set<String> VOLUMES = Set.of("both", "single", "multi");

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description = "Longest time to search (default: ${DEFAULT-VALUE}).")
  private String time = "5m";

  @Option(
      names = "--states",
      paramLabel = "COUNT",
      defaultValue = "100000000",
      description = "Most states to reach (default: ${DEFAULT-VALUE}).")
  private long states;

  @Option(
      names = "--volumes",
      paramLabel = "WHICH",
      defaultValue = "both",
      description = {
        "single: only the single-node volume; multi: only the multi-node volume;",
        "both (default)."
      })
  private String volumes = "both";

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "0",
      description = {
        "Another order of steps, which matters where the bound cuts",
        "(default: ${DEFAULT-VALUE}, as they come)."
      })
  private long seed;

  @Option(
      names = "--heal-every",
      paramLabel = "COUNT",
      defaultValue = "1",
      description = {
        "Shows for one of so many states that the empty table can be reached",
        "(default: ${DEFAULT-VALUE}, for every state; 0: for none)."
      })
  private int healEvery;

  @Option(
      names = "--threads",
      paramLabel = "COUNT",
      description = {
        "Threads that search (default: one for each processor).",
        "What is found within a number of states does not depend on it."
      })
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--write",
      paramLabel = "FILE",
      defaultValue = "explore-found.yaml",
      description = "Where what is wrong is written (default: ${DEFAULT-VALUE}).")
  private Path file = Path.of("explore-found.yaml");

  @Mixin private final OutputOption output = new OutputOption();

  @Spec private CommandSpec spec;
  private final Terminal terminal;
  private final Search search;

  /** What searches, so that what is found wrong can be shown without something wrong. */
  interface Search {
    /** As {@link Explorer#explore}. */
    Exploration explore(Explorer.Scope scope, LongSupplier nanoTime, Explorer.Watcher watcher);
  }

  ScenarioExploreCommand(Terminal terminal) {
    this(terminal, Explorer::explore);
  }

  ScenarioExploreCommand(Terminal terminal, Search search) {
    this.terminal = terminal;
    this.search = search;
  }

  @Override
  public Integer call() throws IOException {
    Explorer.Scope scope = scope();
    Exploration found;
    long began = System.nanoTime();
    try (Progress progress = new Progress(terminal, System::nanoTime)) {
      progress.step("seconds of searching", (int) scope.time().toSeconds());
      found =
          search.explore(
              scope,
              System::nanoTime,
              (reached, waiting, depth) ->
                  progress.at(
                      (int) Duration.ofNanos(System.nanoTime() - began).toSeconds(),
                      String.format(
                          Locale.ROOT,
                          "seconds of searching: %,d states, %d deep",
                          reached,
                          depth)));
    }
    Exploration.Violation violation = found.violation();
    if (violation != null) {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.writeString(file, violation.scenario());
    }
    if (output.forPeople()) {
      text(found);
    } else {
      output.print(terminal, () -> json(found), List::of);
    }
    return violation == null ? ExitCode.OK : ExitCode.FAILED;
  }

  private Explorer.Scope scope() {
    Duration longest =
        DurationText.parse(time)
            .filter(parsed -> parsed.toSeconds() > 0)
            .orElseThrow(() -> usage("--for: '" + time + "' is no duration: write 30s, 5m or 1h"));
    if (states < 1) {
      throw usage("--states: " + states + " is too few: give 1 or more");
    }
    if (healEvery < 0) {
      throw usage("--heal-every: " + healEvery + " is negative: give 0 or more");
    }
    if (threads < 1) {
      throw usage("--threads: " + threads + " is too few: give 1 or more");
    }
    if (Files.isDirectory(file)) {
      throw usage("--write: " + file + " is a folder: name a file");
    }
    if (!VOLUMES.contains(volumes)) {
      throw usage("--volumes: '" + volumes + "' is not both, single or multi");
    }
    return new Explorer.Scope(volumes, longest, states, seed, healEvery, threads);
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void text(Exploration found) {
    terminal.out().println("World       " + found.world());
    list("Alphabet    ", found.alphabet());
    list("Bound       ", found.bound());
    terminal
        .out()
        .println(
            String.format(
                Locale.ROOT,
                "States      %,d reached, every step tried from %,d, healed from %,d",
                found.states(),
                found.expanded(),
                found.healed()));
    terminal
        .out()
        .println(
            String.format(
                Locale.ROOT, "Steps       %,d tried, %d deep", found.transitions(), found.depth()));
    terminal
        .out()
        .println(
            String.format(
                Locale.ROOT,
                "Time        %d s, %,d states/s",
                found.took().toSeconds(),
                rate(found)));
    Exploration.Violation violation = found.violation();
    if (violation == null) {
      terminal
          .out()
          .println(
              terminal.good(
                  found.complete()
                      ? "Nothing is wrong, and no state is left: this is all that can happen."
                      : "Nothing is wrong as far as was looked."));
    } else {
      terminal.out().println(terminal.bad("Wrong       " + violation.what()));
      violation.path().forEach(step -> terminal.out().println("  " + step));
      terminal
          .out()
          .println(
              "Written to "
                  + file
                  + (violation.expressible()
                      ? ""
                      : "; comments there say what a scenario file cannot"));
    }
  }

  private void list(String name, List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      terminal.out().println((i == 0 ? name : " ".repeat(name.length())) + lines.get(i));
    }
  }

  private static long rate(Exploration found) {
    return found.states() * 1000 / Math.max(1, found.took().toMillis());
  }

  private ObjectNode json(Exploration found) {
    ObjectNode json = JsonOutput.mapper().createObjectNode();
    json.put("world", found.world());
    strings(json.putArray("alphabet"), found.alphabet());
    strings(json.putArray("bound"), found.bound());
    json.put("states", found.states());
    json.put("expanded", found.expanded());
    json.put("healed", found.healed());
    json.put("transitions", found.transitions());
    json.put("depth", found.depth());
    json.put("complete", found.complete());
    json.put("seconds", found.took().toMillis() / 1000.0);
    json.put("statesPerSecond", rate(found));
    Exploration.Violation violation = found.violation();
    if (violation == null) {
      json.putNull("violation");
    } else {
      ObjectNode wrong = json.putObject("violation");
      wrong.put("what", violation.what());
      strings(wrong.putArray("path"), violation.path());
      wrong.put("scenario", file.toString());
      wrong.put("expressible", violation.expressible());
    }
    return json;
  }

  private static void strings(ArrayNode into, List<String> texts) {
    texts.forEach(into::add);
  }
}
