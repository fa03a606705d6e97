package dev.berth.ops.command;

import dev.berth.ops.api.ApiClient;
import dev.berth.ops.api.ApiTarget;
import dev.berth.ops.api.Pause;
import dev.berth.ops.config.ApiSettings;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import dev.berth.streams.policy.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options of every command that calls the API; add them with {@code @Mixin}.
 *
 * <p>Flags go over variables ({@code --api} over {@code BERTH_API}), those over the properties
 * file.
 */
final class ApiOptions {

  @Mixin private final TargetOptions target = new TargetOptions();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Properties file with connection settings; an instance's own will do.")
  private @Nullable Path config;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description = "How long to wait for an answer, such as 30s (default: ${DEFAULT-VALUE}).")
  private String timeout = "10s";

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  private final Map<String, String> environment;

  ApiOptions() {
    this(System.getenv());
  }

  /** Under other variables. */
  ApiOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Something that is done with a client. */
  @FunctionalInterface
  interface Calling {
    int call(ApiClient client, Progress progress) throws Exception;
  }

  /** Asks something, and tells what is waited for meanwhile. */
  <R> R ask(Terminal terminal, Function<ApiClient, R> asking) throws Exception {
    AtomicReference<@Nullable R> answer = new AtomicReference<>();
    call(
        terminal,
        (client, progress) -> {
          answer.set(asking.apply(client));
          return ExitCode.OK;
        });
    return Objects.requireNonNull(answer.get());
  }

  /** Does it, and tells what is waited for meanwhile. */
  int call(Terminal terminal, Calling calling) throws Exception {
    ApiTarget called = target();
    Duration patience = timeout();
    try (Progress progress = new Progress(terminal, System::nanoTime);
        ApiClient client = ApiClient.to(called, patience, progress::step, Pause.real())) {
      return calling.call(client, progress);
    }
  }

  /**
   * Whom to call, and how.
   *
   * @throws ParameterException naming the setting and the remedy when it is not usable
   */
  ApiTarget target() {
    try {
      return ApiSettings.read(Optional.ofNullable(config), environment, target.flags());
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  /** How long an answer may take. */
  Duration timeout() {
    return DurationText.parse(timeout)
        .filter(duration -> duration.toMillis() > 0)
        .orElseThrow(() -> usage("--timeout: '" + timeout + "' is no duration: write 30s or 2m"));
  }

  /** A usage error of the command that this is mixed into. */
  ParameterException usage(String message) {
    if (command == null) {
      throw new IllegalStateException("not mixed into a command: " + message);
    }
    return new ParameterException(command.commandLine(), message);
  }
}
