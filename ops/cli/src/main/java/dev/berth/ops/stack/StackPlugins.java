package dev.berth.ops.stack;

import dev.berth.driver.DriverSpec;
import dev.berth.driver.SimulatedDriver;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.records.PluginRole;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.config.PluginAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The plugins of a stack: a provider each, and a driver per instance. */
final class StackPlugins implements AutoCloseable {

  private final CallLog calls;
  private final Map<String, Provider> providers = new TreeMap<>();
  private final Map<EndpointConfig, SimulatedDriver> drivers = new LinkedHashMap<>();

  private StackPlugins(CallLog calls) {
    this.calls = calls;
  }

  /**
   * Starts every instance of every plugin.
   *
   * @throws UncheckedIOException when a socket or a journal cannot be used
   */
  static StackPlugins start(StackConfig config, StackDirectory directory, InstantSource clock) {
    try {
      StackPlugins plugins =
          new StackPlugins(CallLog.toFileWithoutEnquiries(callLog(config, directory), clock));
      try {
        for (StackPlugin plugin : config.plugins()) {
          plugins.start(plugin, config, directory);
        }
        return plugins;
      } catch (IOException | RuntimeException e) {
        plugins.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("simulated plugins: " + e.getMessage(), e);
    }
  }

  private static Path callLog(StackConfig config, StackDirectory directory) {
    return config.oneCallLog() ? directory.callLog() : directory.newCallLog();
  }

  /** What was called. */
  CallLog calls() {
    return calls;
  }

  /** The providers by plugin. */
  Map<String, Provider> providers() {
    return providers;
  }

  /** Where a worker reaches the instances. */
  List<EndpointConfig> endpoints() {
    return List.copyOf(drivers.keySet());
  }

  /** Stops the instances at once; the providers' state stays. */
  @Override
  public void close() {
    drivers.values().forEach(SimulatedDriver::close);
    providers.values().forEach(Provider::close);
    calls.close();
  }

  private void start(StackPlugin plugin, StackConfig config, StackDirectory directory)
      throws IOException {
    ProviderSpec spec = ProviderSpec.strict();
    if (config.createVolumes()) {
      spec = spec.withAutoCreate(plugin.access());
    }
    Provider provider = Provider.open(spec, directory.provider(plugin.id()));
    providers.put(plugin.id(), provider);
    for (String node : config.controllerNodes(plugin)) {
      DriverSpec driver =
          DriverSpec.controller(plugin.id())
              .withInstance("controller-" + node)
              .withFeatures(plugin.features())
              .withControllerLatency(config.controllerLatency());
      start(driver, provider, PluginRole.CONTROLLER, node, config, directory);
    }
    for (String node : config.nodesOf(plugin)) {
      DriverSpec driver =
          DriverSpec.node(plugin.id(), StackConfig.externalNode(node))
              .withInstance(node)
              .withFeatures(plugin.features())
              .withMaxVolumes(plugin.maxVolumes())
              .withNodeLatency(config.nodeLatency());
      start(driver, provider, PluginRole.NODE, node, config, directory);
    }
  }

  private void start(
      DriverSpec spec,
      Provider provider,
      PluginRole role,
      String node,
      StackConfig config,
      StackDirectory directory)
      throws IOException {
    Path socket = directory.socket(spec.plugin(), spec.instance());
    SimulatedDriver driver = SimulatedDriver.start(spec, provider, config.script(), calls, socket);
    drivers.put(
        new EndpointConfig(
            spec.plugin() + "-" + spec.instance(),
            Optional.of(spec.plugin()),
            role,
            node,
            EndpointConfig.POOL,
            new PluginAddress(driver.endpoint()),
            Optional.empty(),
            Optional.of(directory.mounts(node))),
        driver);
  }
}
