package dev.berth.ops.config;

import dev.berth.streams.app.SettingSources;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The variables of an environment that are for one part of Berth: without those that only others
 * know. A variable that nobody knows stays, so that the part complains of it.
 */
public final class PartVariables {
  private PartVariables() {}

  /** Those for an instance of the Streams application. */
  public static Map<String, String> ofStreams(Map<String, String> environment) {
    return without(environment, SettingSources::knows);
  }

  /** Those for a worker. */
  public static Map<String, String> ofWorker(Map<String, String> environment) {
    return without(environment, dev.berth.workers.config.SettingSources::knows);
  }

  private static Map<String, String> without(
      Map<String, String> environment, Predicate<String> own) {
    Map<String, String> left = new TreeMap<>(environment);
    left.keySet()
        .removeIf(
            name ->
                name.startsWith(SettingNames.VARIABLES)
                    && !own.test(name)
                    && (SettingNames.key(name).isPresent() || SettingNames.ofOthers(name)));
    return left;
  }
}
