package dev.berth.ops.command;

import dev.berth.ops.api.ApiClient;
import dev.berth.ops.api.Pause;
import dev.berth.ops.browser.BrowserDoor;
import dev.berth.ops.terminal.Terminal;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth session serve}. */
@Command(
    name = "serve",
    description = {
      "Lets a browser in: a session for its token, and lists as JSON.",
      "It listens on 127.0.0.1 only; for browsers elsewhere put a proxy with TLS in front",
      "of it, or an SSH tunnel, and give its name with --host. It shows the API no token",
      "of yours: what a browser may is what its session may. POST /session takes the form",
      "field token and sets a cookie; GET /v1/stuck?plugin=ebs is a list. Runs until",
      "Ctrl-C or SIGTERM, and exits 0 then."
    },
    footer = {
      "",
      "Examples:",
      "  berth session serve",
      "  berth session serve --port 7443 --host console.example --api berth-1:7070 --api-tls"
    })
final class SessionServeCommand implements Callable<Integer> {
  private static final Duration TO_CLOSE = Duration.ofSeconds(5);

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "7071",
      description = "Port on 127.0.0.1; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  private int port = 7071;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description = "Another name that browsers call it by; may be given again.")
  private List<String> hosts = new ArrayList<>();

  @Mixin private final ApiOptions api = new ApiOptions();

  private final Terminal terminal;
  private final Clock clock;

  SessionServeCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() {
    try (StopSignal stop = new StopSignal(TO_CLOSE);
        ApiClient client =
            ApiClient.to(api.target().withoutCalls(), api.timeout(), step -> {}, Pause.real());
        BrowserDoor door = new BrowserDoor(port, hosts, client, clock)) {
      stop.exitWith(ExitCode.OK);
      terminal.out().println("Serves browsers at " + door.url());
      terminal.out().flush();
      // Until it is interrupted.
      new CountDownLatch(1).await();
    } catch (UncheckedIOException e) {
      throw api.usage("--port %d cannot be listened on: give another, or 0".formatted(port));
    } catch (InterruptedException e) {
      terminal.err().println("Stopped.");
    }
    return ExitCode.OK;
  }
}
