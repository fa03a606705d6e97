package dev.berth.workers.secrets;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.apache.kafka.common.config.provider.DirectoryConfigProvider;
import org.apache.kafka.common.config.provider.EnvVarConfigProvider;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Secrets through Kafka's {@link ConfigProvider}: the settings are those of Kafka's own clients
 * ({@code config.providers}, {@code config.providers.<name>.class}, {@code
 * config.providers.<name>.param.*}), any provider on the class path will do.
 *
 * <p>Without settings there are {@code file} (properties files), {@code dir} (a file per secret)
 * and {@code env}. With {@code config.providers} there are those it names.
 */
public final class ConfigProviderSecrets implements SecretSource, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ConfigProviderSecrets.class);
  private static final String PREFIX = "config.providers";
  private static final Map<String, String> BUILT_IN =
      Map.of(
          "file", FileConfigProvider.class.getName(),
          "dir", DirectoryConfigProvider.class.getName(),
          "env", EnvVarConfigProvider.class.getName());

  private final Map<String, ConfigProvider> providers;

  private ConfigProviderSecrets(Map<String, ConfigProvider> providers) {
    this.providers = Map.copyOf(providers);
  }

  /**
   * Makes the providers.
   *
   * @param settings settings that begin with {@code config.providers}
   * @throws IllegalArgumentException naming the setting that cannot be used
   */
  public static ConfigProviderSecrets of(Map<String, String> settings) {
    String names = settings.getOrDefault(PREFIX, "file,dir,env");
    Map<String, ConfigProvider> providers = new LinkedHashMap<>();
    for (String name : names.split(",", -1)) {
      String provider = name.strip();
      if (!provider.isEmpty()) {
        providers.put(provider, provider(provider, settings));
      }
    }
    requireNamed(settings, providers.keySet());
    return new ConfigProviderSecrets(providers);
  }

  @Override
  public Lookup find(SecretReference reference) {
    ConfigProvider provider = providers.get(reference.provider());
    if (provider == null) {
      return new Lookup.Missing(
          "no provider '%s' is configured, there are %s"
              .formatted(reference.provider(), providers.keySet()));
    }
    try {
      String value =
          provider.get(reference.path(), Set.of(reference.key())).data().get(reference.key());
      return value == null ? new Lookup.Missing("there is no such key") : new Lookup.Found(value);
    } catch (RuntimeException e) {
      // Its message stays out: what a provider says of its store is not ours to publish.
      log.debug("secret lookup failed reference={} error={}", reference, e.getClass().getName());
      return new Lookup.Missing("it cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  @Override
  public void close() {
    providers.values().forEach(provider -> Utils.closeQuietly(provider, "config provider"));
  }

  private static ConfigProvider provider(String name, Map<String, String> settings) {
    String key = PREFIX + "." + name + ".class";
    String className = settings.getOrDefault(key, BUILT_IN.get(name));
    if (className == null) {
      throw new IllegalArgumentException(key + " is not set: give the provider's class");
    }
    try {
      ConfigProvider provider = Utils.newInstance(className, ConfigProvider.class);
      provider.configure(params(name, settings));
      return provider;
    } catch (ClassNotFoundException | RuntimeException e) {
      throw new IllegalArgumentException(
          "%s=%s cannot be used as a config provider: put it on the class path and check its"
                  .formatted(key, className)
              + " parameters",
          e);
    }
  }

  private static Map<String, String> params(String name, Map<String, String> settings) {
    String prefix = PREFIX + "." + name + ".param.";
    Map<String, String> params = new HashMap<>();
    settings.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            params.put(key.substring(prefix.length()), value);
          }
        });
    return params;
  }

  private static void requireNamed(Map<String, String> settings, Set<String> names) {
    for (String key : settings.keySet()) {
      boolean known =
          key.equals(PREFIX)
              || names.stream()
                  .map(name -> PREFIX + "." + name + ".")
                  .anyMatch(p -> key.equals(p + "class") || key.startsWith(p + "param."));
      if (!known) {
        throw new IllegalArgumentException(
            key + " belongs to no provider of " + PREFIX + "=" + names + ": correct its spelling");
      }
    }
  }
}
