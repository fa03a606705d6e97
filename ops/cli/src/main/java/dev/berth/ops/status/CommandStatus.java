package dev.berth.ops.status;

import dev.berth.telemetry.Condition;
import dev.berth.telemetry.Meters;
import dev.berth.telemetry.StatusServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Meters and condition of a command that runs for long, served on the loopback where a port was
 * asked for. It is alive while it is there; it is ready unless it says what is in its way. Safe for
 * use by many threads.
 */
public final class CommandStatus implements AutoCloseable {
  private final Meters meters = new Meters();
  private final AtomicReference<@Nullable String> trouble = new AtomicReference<>();
  private final @Nullable StatusServer server;

  /**
   * Serves from now on.
   *
   * @param port port on the loopback, 0 for any that is free; empty to serve nothing
   * @throws java.io.UncheckedIOException if the port cannot be had
   */
  public CommandStatus(OptionalInt port) {
    this.server =
        port.isEmpty()
            ? null
            : new StatusServer(
                port.getAsInt(),
                () -> new Condition(true, List.of("running")),
                this::readiness,
                meters);
  }

  /** One that serves nothing. */
  public static CommandStatus unserved() {
    return new CommandStatus(OptionalInt.empty());
  }

  private Condition readiness() {
    String now = trouble.get();
    return new Condition(now == null, List.of(now == null ? "running" : now));
  }

  /** Where meters are registered. */
  public MeterRegistry registry() {
    return meters.registry();
  }

  /** Adds the meters of a Kafka client. */
  public void watch(Consumer<?, ?> consumer) {
    meters.bind(meters.closing(new KafkaClientMetrics(consumer)));
  }

  /** Says what is in its way, without secrets; empty for nothing. */
  public void trouble(Optional<String> what) {
    trouble.set(what.orElse(null));
  }

  /** Where the meters are, for people; empty where nothing is served. */
  public Optional<String> url() {
    return Optional.ofNullable(server).map(open -> open.url("/metrics"));
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
    meters.close();
  }
}
