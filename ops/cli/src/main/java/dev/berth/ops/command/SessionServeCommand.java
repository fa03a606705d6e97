package dev.berth.ops.command;

import dev.berth.ops.api.ApiClient;
import dev.berth.ops.api.ApiTarget;
import dev.berth.ops.api.Pause;
import dev.berth.ops.browser.BrowserDoor;
import dev.berth.ops.browser.DoorPlace;
import dev.berth.ops.terminal.Terminal;
import dev.berth.streams.query.security.PemFiles;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth session serve}. */
@Command(
    name = "serve",
    description = {
      "Lets a browser in: a session for its token, and lists as JSON.",
      "It listens on 127.0.0.1 unless --listen says another address, which needs",
      "--tls-certificate and --tls-key. Or put a proxy with TLS in front of it, or an SSH",
      "tunnel. --host gives the name that browsers call it by. It calls the API as all",
      "commands do (--api-tls...), but shows it no token of yours: what a browser may is",
      "what its session may. POST /session takes the form field token and sets a cookie;",
      "GET /v1/stuck?plugin=ebs is a list. Runs until Ctrl-C or SIGTERM, and exits 0 then."
    },
    footer = {
      "",
      "Examples:",
      "  berth session serve",
      "  berth session serve --api berth-1:7070 --api-tls-ca ca.pem",
      "  berth session serve --listen 0.0.0.0 --host console.example \\",
      "      --tls-certificate door.pem --tls-key door.key"
    })
final class SessionServeCommand implements Callable<Integer> {
  private static final String CERTIFICATE = "--tls-certificate";
  private static final String KEY = "--tls-key";
  private static final Duration TO_CLOSE = Duration.ofSeconds(5);

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "Address of this machine to listen on (default: ${DEFAULT-VALUE}).")
  private String listen = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "7071",
      description = "Port to listen on; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  private int port = 7071;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description = "Another name that browsers call it by; may be given again.")
  private List<String> hosts = new ArrayList<>();

  @Option(
      names = CERTIFICATE,
      paramLabel = "FILE",
      description = "PEM file of the certificate that browsers are shown: HTTPS then.")
  private @Nullable Path certificate;

  @Option(
      names = KEY,
      paramLabel = "FILE",
      description = "PEM file of that certificate's private key (PKCS#8).")
  private @Nullable Path key;

  @Mixin private final ApiOptions api = new ApiOptions();

  private final Terminal terminal;
  private final Clock clock;

  SessionServeCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() {
    DoorPlace place = place();
    ApiTarget instance = instance();
    try (StopSignal stop = new StopSignal(TO_CLOSE);
        ApiClient client = ApiClient.to(instance, api.timeout(), step -> {}, Pause.real());
        BrowserDoor door = new BrowserDoor(place, client, clock)) {
      stop.exitWith(ExitCode.OK);
      terminal.out().println("Serves browsers at " + door.url());
      terminal.out().flush();
      // Until it is interrupted.
      new CountDownLatch(1).await();
    } catch (UncheckedIOException e) {
      throw api.usage(
          "--listen %s --port %d cannot be listened on: give another port, or 0, and an address of this machine"
              .formatted(listen, port));
    } catch (InterruptedException e) {
      terminal.err().println("Stopped.");
    }
    return ExitCode.OK;
  }

  /** Tokens and sessions of browsers go there, whether or not this command has a token. */
  private ApiTarget instance() {
    ApiTarget target = api.target();
    if (!target.isPrivate()) {
      throw api.usage(
          "api=%s: without TLS everybody on the way could read the sessions of browsers; give --api-tls-ca FILE or --api-tls"
              .formatted(target.address()));
    }
    return target.withoutCalls();
  }

  private DoorPlace place() {
    if ((certificate == null) != (key == null)) {
      throw api.usage(CERTIFICATE + " and " + KEY + " go together: give both, or none");
    }
    try {
      Optional<SSLContext> tls =
          certificate == null || key == null
              ? Optional.empty()
              : Optional.of(
                  PemFiles.server(new PemFiles.Identity(certificate, key), CERTIFICATE, KEY));
      return DoorPlace.of(listen, port, hosts, tls);
    } catch (IllegalArgumentException e) {
      throw api.usage(String.valueOf(e.getMessage()));
    }
  }
}
