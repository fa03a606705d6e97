package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.api.ApiClient;
import dev.berth.ops.api.Pause;
import dev.berth.ops.doctor.Check;
import dev.berth.ops.doctor.Check.Result;
import dev.berth.ops.doctor.Examination;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Lines;
import dev.berth.producers.Connection;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.config.SettingSources;
import dev.berth.workers.config.WorkerConfig;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth doctor}. */
@Command(
    name = "doctor",
    description = {
      "Looks at a whole deployment and says what is wrong, with what to do.",
      "Brokers and their transactions, topics (partitions, cleanup, copies), ACLs,",
      "partitioner, timeouts that must fit each other, clocks, schema registry, API,",
      "plugins as reported, stuck claims; with --worker-config also whether the plugins'",
      "sockets take connections from here. Exits 1 when something is wrong; a warning",
      "alone is no failure."
    },
    footer = {
      "",
      "Examples:",
      "  berth doctor --config berth.properties",
      "  berth doctor --config berth.properties --worker-config worker.properties",
      "  berth doctor --bootstrap-servers localhost:9092 \\",
      "      --registry http://localhost:8081 --api localhost:7070 -o json"
    })
final class DoctorCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = "--worker-config",
      paramLabel = "FILE",
      description = "A worker's properties file: tries the endpoints of its plugins from here.")
  private @Nullable Path workerConfig;

  @Mixin private final TargetOptions api = new TargetOptions();
  @Mixin private final ConnectionOptions options = new ConnectionOptions();

  private final Terminal terminal;

  DoctorCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    Connection connection = options.connection();
    List<EndpointConfig> endpoints = endpoints();
    List<Check> checks;
    try (Progress progress = new Progress(terminal, System::nanoTime);
        ApiClient client = ApiClient.to(options.api(api), TIMEOUT, progress::step, Pause.real())) {
      checks =
          new Examination(connection, client, endpoints, Clock.systemUTC(), progress::step).run();
    }
    output.print(terminal, () -> json(checks), () -> checks.stream().flatMap(this::lines).toList());
    return checks.stream().anyMatch(check -> check.result() == Result.WRONG)
        ? ExitCode.FAILED
        : ExitCode.OK;
  }

  private List<EndpointConfig> endpoints() {
    if (workerConfig == null) {
      return List.of();
    }
    try {
      return WorkerConfig.parse(SettingSources.properties(workerConfig)).endpoints();
    } catch (IllegalArgumentException e) {
      throw options.usage("--worker-config: " + e.getMessage());
    }
  }

  private Stream<String> lines(Check check) {
    String word = "%-7s".formatted(word(check));
    List<String> found =
        new ArrayList<>(Lines.hanging("%s  %-14s  ".formatted(word, check.name()), check.found()));
    String coloured = check.result() == Result.OK ? terminal.good(word) : terminal.bad(word);
    found.set(0, coloured + found.get(0).substring(word.length()));
    return Stream.concat(
        found.stream(),
        check.remedy().isEmpty()
            ? Stream.of()
            : Lines.hanging("%25sremedy: ".formatted(""), check.remedy()).stream());
  }

  private static String word(Check check) {
    return check.result().name().toLowerCase(Locale.ROOT);
  }

  private static ArrayNode json(List<Check> checks) {
    ArrayNode list = JsonOutput.mapper().createArrayNode();
    for (Check check : checks) {
      ObjectNode entry = list.addObject();
      entry.put("check", check.name());
      entry.put("result", word(check));
      entry.put("found", check.found());
      entry.put("remedy", check.remedy());
    }
    return list;
  }
}
