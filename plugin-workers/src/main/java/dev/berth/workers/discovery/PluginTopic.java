package dev.berth.workers.discovery;

import dev.berth.records.PluginInstance;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The topic {@code plugins}. */
public interface PluginTopic {

  /**
   * Writes a report.
   *
   * @param key key of the instance
   * @param instance the report
   * @return completes when it is written
   */
  CompletableFuture<Void> publish(String key, PluginInstance instance);

  /**
   * Returns the last report of an instance that was there when this worker began, whoever wrote it.
   *
   * @param key key of the instance
   * @throws RuntimeException when the topic cannot be read for now
   */
  Optional<PluginInstance> last(String key);
}
