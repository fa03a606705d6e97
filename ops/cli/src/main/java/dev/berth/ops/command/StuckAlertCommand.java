package dev.berth.ops.command;

import dev.berth.ops.acl.AclPlan;
import dev.berth.ops.alert.AlertLoop;
import dev.berth.ops.alert.Webhook;
import dev.berth.ops.status.CommandStatus;
import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth stuck alert}. */
@Command(
    name = "alert",
    description = {
      "Calls a webhook when a claim gets stuck, and when it is freed.",
      "It reads the topic stuck-claims as a consumer group and goes on where the group",
      "was: each message is sent at least once, in order, and again until the webhook",
      "takes it (2xx). A group without offsets begins with what is stuck already.",
      "The body is JSON: text for people, event (stuck or resolved), and the fields of",
      "the dead letter. Runs until Ctrl-C or SIGTERM, and exits 0 then."
    },
    footer = {
      "",
      "Examples:",
      "  berth stuck alert --webhook http://127.0.0.1:9093/berth --config berth.properties",
      "  berth stuck alert --webhook-file /etc/berth/chat-url --group chat"
    })
final class StuckAlertCommand implements Callable<Integer> {
  private static final Duration TO_CLOSE = Duration.ofSeconds(20);

  @ArgGroup(multiplicity = "1")
  private Address address = new Address();

  /** One of the two. */
  static final class Address {
    @Option(names = "--webhook", paramLabel = "URL", description = "Where messages are posted.")
    private @Nullable String url;

    @Option(
        names = "--webhook-file",
        paramLabel = "FILE",
        description = "File with that URL: one that holds a secret is in no list of processes.")
    private @Nullable Path file;
  }

  @Option(
      names = "--group",
      paramLabel = "NAME",
      defaultValue = AclPlan.ALERTS,
      description = "Consumer group, behind the topics' prefix (default: ${DEFAULT-VALUE}).")
  private String group = AclPlan.ALERTS;

  @Mixin private final StatusOption health = new StatusOption();
  @Mixin private final ConnectionOptions options = new ConnectionOptions();

  private final Terminal terminal;
  private final Clock clock;

  StuckAlertCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() {
    Webhook webhook = webhook();
    Connection connection = options.connection();
    try (StopSignal stop = new StopSignal(TO_CLOSE);
        CommandStatus status = health.open(terminal);
        AlertLoop loop =
            new AlertLoop(
                connection,
                connection.topics().prefix() + "." + group,
                webhook,
                clock,
                this::tell,
                status)) {
      stop.exitWith(ExitCode.OK);
      loop.run();
    } catch (InterruptedException e) {
      terminal.err().println("Stopped.");
    }
    return ExitCode.OK;
  }

  private Webhook webhook() {
    try {
      Path file = address.file;
      return Webhook.at(file == null ? String.valueOf(address.url) : Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw options.usage(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw options.usage("--webhook-file %s cannot be read: %s".formatted(address.file, e));
    }
  }

  private void tell(String line) {
    terminal.out().printf("%s  %s%n", clock.instant().truncatedTo(ChronoUnit.SECONDS), line);
  }
}
