package dev.berth.ops.scenario;

import dev.berth.driver.calls.CallLog;
import dev.berth.driver.script.Director;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A running Berth of one scenario's own: real broker, registry, Streams application, worker and
 * simulated drivers. Not thread-safe.
 */
public interface LiveSystem extends AutoCloseable {

  /** Makes systems, one after another or side by side. */
  @FunctionalInterface
  interface Source {

    /**
     * Starts a system on topics that nobody has written to.
     *
     * @param instances plugin instances that the scenario may start
     * @param director says what the drivers do
     */
    LiveSystem open(Set<Instance> instances, Director director) throws InterruptedException;
  }

  /**
   * A plugin instance, running or not.
   *
   * @param plugin plugin id
   * @param role which of its services
   * @param node node it runs on (scheduler's id); also its name in the log of calls
   */
  record Instance(String plugin, PluginRole role, String node) {

    static Instance of(PluginInstance instance) {
      return new Instance(instance.getPlugin(), instance.getRole(), instance.getNode());
    }
  }

  /** The topics. */
  Topics topics();

  /** The schemas. */
  Registry registry();

  /** What the drivers were asked. */
  CallLog calls();

  /** Writes a record and returns when the broker has it. */
  void send(Topic topic, String key, byte @Nullable [] value);

  /**
   * The records that were committed since the last look; waits a few milliseconds when there is
   * nothing.
   */
  List<ConsumerRecord<String, byte[]>> read();

  /** Whether the Streams application has committed all that {@link #read} has returned. */
  boolean hasProcessed();

  /** What the metrics of this process are named and tagged with, and their values. */
  Stream<String> metrics();

  /** Starts the driver of an instance, so that the worker finds it; a running one is replaced. */
  void run(PluginInstance instance);

  /** What a volume names a secret by. */
  String secretReference(String name);

  /** What a secret resolves to from now on; null when it is gone. */
  void secret(String name, @Nullable String value);

  /** Ends the Streams application and starts it again on what the topics hold. */
  void restartStreams() throws InterruptedException;

  @Override
  void close();
}
