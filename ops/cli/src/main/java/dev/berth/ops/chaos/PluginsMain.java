package dev.berth.ops.chaos;

import dev.berth.driver.DriverSpec;
import dev.berth.driver.PluginFeatures;
import dev.berth.driver.SimulatedDriver;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Rule;
import dev.berth.driver.script.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * All plugin instances, which keep the truth: {@code PluginsMain DIRECTORY SEED OUTLIVE
 * LONGEST-MILLIS}. Calls hang, are slow or lose their replies until the file {@link #LIFTED} is
 * there.
 */
public final class PluginsMain {

  static final String LIFTED = "lifted";
  static final String CALLS = "calls.jsonl";

  private static final int SCRIPTED_CALLS = 4_000;

  private PluginsMain() {}

  /** See the class. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path directory = Path.of(args[0]);
    Script script = Script.seeded(Long.parseLong(args[1]));
    Path lifted = directory.resolve(LIFTED);
    if (!Files.exists(lifted)) {
      addFaults(
          script, new SplittableRandom(Long.parseLong(args[1])), Boolean.parseBoolean(args[2]));
    }
    CallLog calls =
        CallLog.toFileWithoutEnquiries(directory.resolve(CALLS), InstantSource.system());
    for (String plugin : Cluster.PLUGIN_IDS) {
      start(plugin, directory, script, calls, Duration.ofMillis(Long.parseLong(args[3])));
    }
    Child.sayReady();
    while (!Files.exists(lifted)) {
      TimeUnit.MILLISECONDS.sleep(200);
    }
    script.clear();
    TimeUnit.DAYS.sleep(1);
  }

  static Provider provider(String plugin, Path directory) throws IOException {
    return Provider.open(
        ProviderSpec.strict().withAutoCreate(Access.SINGLE_NODE),
        directory.resolve("providers").resolve(plugin));
  }

  static Path socket(Path directory, String plugin, String instance) {
    return directory.resolve("s").resolve(plugin + "-" + instance);
  }

  private static void start(
      String plugin, Path directory, Script script, CallLog calls, Duration longest)
      throws IOException {
    Provider provider = provider(plugin, directory);
    Latency latency = Latency.uniform(Duration.ofMillis(5), longest);
    for (String node : Cluster.NODES) {
      DriverSpec controller =
          DriverSpec.controller(plugin)
              .withInstance("controller-" + node)
              .withFeatures(PluginFeatures.all())
              .withControllerLatency(latency);
      DriverSpec nodes =
          DriverSpec.node(plugin, Cluster.externalNode(node))
              .withInstance(node)
              .withFeatures(PluginFeatures.all())
              .withNodeLatency(Latency.fixed(Duration.ofMillis(5)));
      SimulatedDriver.start(
          controller, provider, script, calls, socket(directory, plugin, controller.instance()));
      SimulatedDriver.start(nodes, provider, script, calls, socket(directory, plugin, node));
    }
  }

  /** One rule for all calls that change something, so that the count of calls decides. */
  private static void addFaults(Script script, SplittableRandom random, boolean outlive) {
    for (long call = random.nextInt(5, 25); call < SCRIPTED_CALLS; call += random.nextInt(10, 40)) {
      Rule rule =
          Rule.on(
                  Rpc.CONTROLLER_PUBLISH,
                  Rpc.CONTROLLER_UNPUBLISH,
                  Rpc.NODE_STAGE,
                  Rpc.NODE_UNSTAGE,
                  Rpc.NODE_PUBLISH,
                  Rpc.NODE_UNPUBLISH)
              .call(call);
      script.add(
          switch (random.nextInt(3)) {
            case 0 -> rule.hang();
            case 1 -> rule.loseReply();
            // Some of these are longer than the RPC timeout, some shorter.
            default -> {
              Rule slow =
                  rule.takes(Latency.fixed(Duration.ofMillis(random.nextInt(1_000, 7_000))));
              yield outlive ? slow.finishingAfterCancel() : slow;
            }
          });
    }
  }
}
