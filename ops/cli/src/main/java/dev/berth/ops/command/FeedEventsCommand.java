package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.status.CommandStatus;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Phrases;
import dev.berth.producers.Connection;
import dev.berth.producers.FeedPositions;
import dev.berth.producers.FieldRules;
import dev.berth.producers.IndexSource;
import dev.berth.producers.NodePublisher;
import dev.berth.producers.Saying;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.producers.feed.EventFeed;
import dev.berth.producers.feed.FeedListener;
import dev.berth.producers.feed.FeedOptions;
import dev.berth.producers.feed.FeedResult;
import dev.berth.producers.feed.Nodes;
import dev.berth.producers.feed.Reconciling;
import dev.berth.producers.metrics.SchedulerMeters;
import dev.berth.records.FeedPosition;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth feed events}. */
@Command(
    name = "events",
    description = {
      "Says events that come as JSON lines.",
      "One object per line, of these events: claim, status, unmounted, unmount-failed,",
      "gone, node, live. Fields: see FORMAT.md of producers (package feed). A line that",
      "cannot be used is rejected with its number, the others go on, and the exit code",
      "is 1.",
      "A line live lists all allocs that lived at its time (at): claims that others of",
      "the scheduler's allocs had made before then are ended.",
      "Berth's answers to claims are not waited for: claims that it rejects are neither",
      "shown nor counted here; 'berth topics read claim-replies' shows them.",
      "With --feed, a run that was stopped goes on behind the last line that was",
      "written; a last line without its end that cannot be read is left to the next run."
    },
    footer = {
      "",
      "Examples:",
      "  berth feed events events.jsonl --scheduler east --feed monday --config berth.properties",
      "  generate | berth feed events - --scheduler east --rate 100",
      "  berth feed events events.jsonl --dry-run"
    })
final class FeedEventsCommand implements Callable<Integer> {

  @Parameters(paramLabel = "FILE", description = "A file, or - for standard input.")
  private String file = "-";

  @Option(
      names = "--scheduler",
      paramLabel = "ID",
      defaultValue = "feed",
      description = "The scheduler that the allocs belong to (default: ${DEFAULT-VALUE}).")
  private String scheduler = "feed";

  @Option(
      names = "--feed",
      paramLabel = "ID",
      description = "Keeps the position under this id (default: none is kept).")
  private @Nullable String feed;

  @Option(
      names = "--speed",
      paramLabel = "FACTOR",
      description = "Seconds of the events' own times (at) per second (default: not looked at).")
  private @Nullable Double speed;

  @Option(
      names = "--rate",
      paramLabel = "COUNT",
      description = "Events per second at most (default: no limit).")
  private @Nullable Double rate;

  @Option(
      names = "--own-index",
      description = "Every line but node gives its index; otherwise the clock numbers.")
  private boolean ownIndex;

  @Option(names = "--dry-run", description = "Only reads and checks; needs no connection.")
  private boolean dryRun;

  @Mixin private final OutputOption output = new OutputOption();

  @Mixin private final StatusOption health = new StatusOption();
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  private final Terminal terminal;
  private final InputStream standardInput;

  FeedEventsCommand(Terminal terminal, InputStream standardInput) {
    this.terminal = terminal;
    this.standardInput = standardInput;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    FeedOptions options = options();
    FeedResult result;
    try (InputStream in = open();
        CommandStatus status = health.open(terminal);
        Progress progress = new Progress(terminal, System::nanoTime)) {
      result =
          dryRun
              ? check(options, in, listener(progress, status), progress)
              : feed(options, in, status, progress);
    }
    print(result);
    return result.rejected() == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private FeedResult feed(
      FeedOptions options, InputStream in, CommandStatus status, Progress progress)
      throws IOException, InterruptedException {
    Connection to = connection.connection();
    SchedulerConfig config = SchedulerConfig.of(scheduler, to).withIndexes(options.indexes());
    try (NodePublisher nodes = NodePublisher.start(config);
        Scheduler speaker = Scheduler.start(config)) {
      new SchedulerMeters(speaker).bindTo(status.registry());
      Optional<FeedPosition> from = options.feed().flatMap(id -> FeedPositions.read(config, id));
      long before = from.map(FeedPosition::getPosition).orElse(0L);
      progress.step("lines", lines(), (int) Math.min(before, Integer.MAX_VALUE));
      return new EventFeed(
              options, speaker, Nodes.through(nodes), Reconciling.of(speaker), Clock.systemUTC())
          .run(in, from, listener(progress, status));
    }
  }

  private FeedResult check(
      FeedOptions options, InputStream in, FeedListener listener, Progress progress)
      throws IOException, InterruptedException {
    progress.step("lines", lines());
    CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    FeedOptions atOnce = FeedOptions.of(options.source()).withIndexes(options.indexes());
    return new EventFeed(
            atOnce,
            (sayings, position) -> new Saying.Said(done, List.of()),
            (node, status, eligible) -> done,
            live -> {},
            Clock.systemUTC())
        .run(in, Optional.empty(), listener);
  }

  private FeedOptions options() {
    try {
      var unused = FieldRules.id("scheduler", scheduler);
      return new FeedOptions(
          file,
          Optional.ofNullable(feed).map(id -> FieldRules.name("feed", id)),
          optional(speed),
          optional(rate),
          ownIndex ? IndexSource.CALLER : IndexSource.CLOCK);
    } catch (IllegalArgumentException e) {
      throw connection.usage(String.valueOf(e.getMessage()));
    }
  }

  private InputStream open() throws IOException {
    if (file.equals("-")) {
      // Closing a command's input is not the command's business.
      return new FilterInputStream(standardInput) {
        @Override
        public void close() {}
      };
    }
    try {
      return Files.newInputStream(Path.of(file));
    } catch (NoSuchFileException e) {
      throw connection.usage(file + " does not exist; give another path");
    }
  }

  /** How many lines there are, for the progress; 0 when nobody knows. */
  private int lines() throws IOException {
    // What is no plain file can be read only once, and that is for the feed itself.
    if (file.equals("-") || !Files.isRegularFile(Path.of(file))) {
      return 0;
    }
    int lines = 0;
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = open()) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        for (int i = 0; i < read; i++) {
          lines += buffer[i] == '\n' ? 1 : 0;
        }
      }
    }
    return lines;
  }

  private static FeedListener listener(Progress progress, CommandStatus status) {
    AtomicLong position = new AtomicLong();
    Gauge.builder("berth.feed.position", position::doubleValue)
        .description("Lines that were dealt with")
        .register(status.registry());
    Counter rejected =
        Counter.builder("berth.feed.rejected")
            .description("Lines that were rejected")
            .register(status.registry());
    return new FeedListener() {
      @Override
      public void rejected(String message) {
        rejected.increment();
        progress.say(message);
      }

      @Override
      public void at(long line) {
        position.set(line);
        progress.at((int) Math.min(line, Integer.MAX_VALUE));
      }
    };
  }

  private void print(FeedResult result) {
    output.print(terminal, () -> json(result), () -> List.of(text(result)));
  }

  private static ObjectNode json(FeedResult result) {
    ObjectNode json = JsonOutput.mapper().createObjectNode();
    json.put("linesBefore", result.before());
    json.put("lines", result.lines());
    json.put("events", result.events());
    json.put("rejected", result.rejected());
    return json;
  }

  private String text(FeedResult result) {
    return "%s %s, %s rejected%s"
        .formatted(
            Phrases.count(result.events(), "event"),
            dryRun ? "can be said" : "said",
            Phrases.count(result.rejected(), "line"),
            result.before() == 0
                ? ""
                : "; %s before".formatted(Phrases.count(result.before(), "line")));
  }

  private static OptionalDouble optional(@Nullable Double number) {
    return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
  }
}
