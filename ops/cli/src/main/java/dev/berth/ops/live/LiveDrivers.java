package dev.berth.ops.live;

import dev.berth.driver.DriverSpec;
import dev.berth.driver.PluginFeatures;
import dev.berth.driver.SimulatedDriver;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.driver.script.Director;
import dev.berth.driver.script.Rule;
import dev.berth.driver.script.Script;
import dev.berth.ops.scenario.LiveSystem.Instance;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.config.PluginAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The drivers of a scenario, one for each instance that it names. One that the scenario has not
 * started yet says that it is not ready: nobody learns its name, and nothing is published of it.
 */
final class LiveDrivers implements AutoCloseable {

  private static final Script NOT_READY = Script.of(Rule.on(Rpc.PROBE).notReady());

  private final Path directory;
  private final CallLog calls;
  private final Script script;
  private final Map<Instance, Path> sockets = new LinkedHashMap<>();
  private final Map<Instance, SimulatedDriver> running = new HashMap<>();
  private final Map<String, Provider> providers = new HashMap<>();
  private final Set<String> attaching = new HashSet<>();

  LiveDrivers(Path directory, Set<Instance> instances, Director director, InstantSource clock) {
    this.directory = directory;
    this.calls = CallLog.inMemory(clock);
    this.script = Script.directed(director);
    for (Instance instance : instances) {
      sockets.put(instance, directory.resolve("s" + sockets.size() + ".sock"));
    }
  }

  CallLog calls() {
    return calls;
  }

  /** Starts those that do not run, not ready for anything. */
  void startOthers() {
    sockets.keySet().stream()
        .filter(instance -> !running.containsKey(instance))
        .forEach(
            instance ->
                start(
                    instance,
                    instance.role() == PluginRole.CONTROLLER
                        ? DriverSpec.controller(instance.plugin())
                        : DriverSpec.node(instance.plugin(), "none"),
                    NOT_READY));
  }

  /** Starts the driver of an instance with the abilities that are said of it. */
  void run(PluginInstance found) {
    Instance instance = new Instance(found.getPlugin(), found.getRole(), found.getNode());
    if (found.getRole() == PluginRole.CONTROLLER && found.getAttach()) {
      attaching.add(instance.plugin());
    }
    boolean attaches = attaching.contains(instance.plugin());
    PluginFeatures features =
        new PluginFeatures(
            attaches || found.getRole() == PluginRole.CONTROLLER,
            attaches,
            found.getPublishReadOnly() && attaches,
            found.getListPublished() && attaches,
            found.getListPublished() && attaches,
            found.getStage(),
            false);
    DriverSpec spec =
        found.getRole() == PluginRole.CONTROLLER
            ? DriverSpec.controller(instance.plugin())
            : DriverSpec.node(instance.plugin(), found.getExternalNode().orElseThrow())
                .withMaxVolumes(Optional.ofNullable(found.getMaxVolumes().orElse(null)).orElse(0L));
    spec = spec.withFeatures(features).withInstance(instance.node());
    SimulatedDriver before = running.get(instance);
    if (before == null || !before.spec().equals(spec)) {
      start(instance, spec, script);
    }
  }

  private void start(Instance instance, DriverSpec spec, Script of) {
    SimulatedDriver before = running.remove(instance);
    if (before != null) {
      before.close();
    }
    Provider provider =
        providers.computeIfAbsent(
            instance.plugin(),
            plugin ->
                Provider.inMemory(
                    ProviderSpec.strict()
                        .withAutoCreate(Access.MULTI_NODE)
                        .withDeviceNameRace(false)
                        .withConcurrency(ProviderSpec.Concurrency.ALLOW)));
    try {
      running.put(instance, SimulatedDriver.start(spec, provider, of, calls, socket(instance)));
    } catch (IOException e) {
      throw new UncheckedIOException("simulated driver of " + instance + ": " + e.getMessage(), e);
    }
  }

  private Path socket(Instance instance) {
    Path socket = sockets.get(instance);
    if (socket == null) {
      throw new IllegalArgumentException("no instance is named " + instance);
    }
    return socket;
  }

  /** Where a worker reaches them. Their names are theirs to tell. */
  List<EndpointConfig> endpoints() {
    return sockets.entrySet().stream()
        .map(
            entry ->
                new EndpointConfig(
                    String.valueOf(entry.getValue().getFileName()).replace(".sock", ""),
                    Optional.empty(),
                    entry.getKey().role(),
                    entry.getKey().node(),
                    EndpointConfig.POOL,
                    new PluginAddress("unix://" + entry.getValue().toAbsolutePath()),
                    Optional.empty(),
                    Optional.of(directory.resolve("mounts").resolve(entry.getKey().node()))))
        .toList();
  }

  @Override
  public void close() {
    running.values().forEach(SimulatedDriver::close);
    providers.values().forEach(Provider::close);
    calls.close();
  }
}
