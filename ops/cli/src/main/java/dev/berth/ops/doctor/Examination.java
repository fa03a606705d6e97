package dev.berth.ops.doctor;

import com.google.protobuf.Timestamp;
import dev.berth.ops.api.ApiClient;
import dev.berth.ops.api.ApiFailedException;
import dev.berth.ops.api.Reads;
import dev.berth.producers.Connection;
import dev.berth.proto.api.Freshness;
import dev.berth.proto.api.ListNodesRequest;
import dev.berth.proto.api.ListPluginsRequest;
import dev.berth.proto.api.ListStuckRequest;
import dev.berth.proto.api.Plugin;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.workers.config.EndpointConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Looks at a whole deployment; what cannot be reached is a finding like others. */
public final class Examination {
  private final Connection connection;
  private final ApiClient api;
  private final List<EndpointConfig> endpoints;
  private final InstantSource clock;
  private final Consumer<String> progress;

  /**
   * Prepares.
   *
   * @param endpoints plugins to reach from this machine; may be empty
   * @param clock that of this machine
   * @param progress told what is looked at, in words
   */
  public Examination(
      Connection connection,
      ApiClient api,
      List<EndpointConfig> endpoints,
      InstantSource clock,
      Consumer<String> progress) {
    this.connection = connection;
    this.api = api;
    this.endpoints = List.copyOf(endpoints);
    this.clock = clock;
    this.progress = progress;
  }

  /** Looks at brokers, topics, registry, API, plugins and claims, and at sockets of plugins. */
  public List<Check> run() throws InterruptedException {
    List<Check> checks = new ArrayList<>();
    progress.accept("looking at brokers and topics");
    checks.addAll(BrokerExamination.run(connection, clock));
    progress.accept("looking at the schema registry");
    checks.add(registry());
    progress.accept("looking at the API and the plugins");
    checks.addAll(api());
    checks.addAll(SocketChecks.of(endpoints));
    return checks;
  }

  private Check registry() {
    try (Registry registry = Registry.connect(connection.registry())) {
      registry.awaitAvailable(Duration.ZERO);
      return Check.ok("registry", "it answers");
    } catch (RegistryUnavailableException e) {
      return Check.wrong(
          "registry",
          String.valueOf(e.getMessage()),
          "start it, or name another with --registry; Berth does not start without it");
    }
  }

  private List<Check> api() {
    Reads reads = new Reads(api, false);
    try {
      Instant asked = clock.instant();
      Freshness freshness =
          api.ask(stub -> stub.listNodes(ListNodesRequest.newBuilder().setPageSize(1).build()))
              .getFreshness();
      Instant answered = clock.instant();
      List<Plugin> plugins = reads.plugins(ListPluginsRequest.getDefaultInstance()).entries();
      List<Check> checks = new ArrayList<>();
      if (freshness.hasAsOf()) {
        Timestamp told = freshness.getAsOf();
        checks.add(
            ClockChecks.of(
                "the API",
                asked,
                Instant.ofEpochSecond(told.getSeconds(), told.getNanos()),
                answered));
      }
      checks.add(Check.ok("API", api.address() + " answers, and for all partitions"));
      checks.addAll(ApiChecks.plugins(plugins));
      checks.add(ApiChecks.stuck(reads.stuck(ListStuckRequest.getDefaultInstance()).entries()));
      return checks;
    } catch (ApiFailedException e) {
      return List.of(
          Check.wrong("API", String.valueOf(e.getMessage()), "berth streams starts an instance"));
    }
  }
}
