package dev.berth.workers.config;

import java.nio.file.Path;
import java.util.Optional;

/** Reads what the settings of one endpoint say of TLS. */
final class EndpointReader {

  private final String name;
  private final Settings settings;

  /**
   * @param name name of the endpoint within the configuration
   * @param settings the endpoint's own, by the last part of their keys
   */
  EndpointReader(String name, Settings settings) {
    this.name = name;
    this.settings = settings;
  }

  /** What is set of one endpoint; what is taken is known. */
  interface Settings {
    Optional<String> take(String key);

    Optional<Path> directory(String key);
  }

  /**
   * Reads.
   *
   * @throws IllegalArgumentException naming the key, its value and the remedy
   */
  Optional<TlsConfig> tls(PluginAddress address) {
    Optional<String> wanted = settings.take("tls");
    Optional<Path> ca = settings.directory("tls.ca");
    Optional<Path> cert = settings.directory("tls.cert");
    Optional<Path> key = settings.directory("tls.key");
    Optional<String> serverName = settings.take("tls.name");
    boolean any = ca.isPresent() || cert.isPresent() || key.isPresent() || serverName.isPresent();
    if (!isWanted(wanted, any)) {
      return Optional.empty();
    }
    if (address.isUnixSocket()) {
      throw wrong("tls", "a unix socket takes no TLS; remove it, or give host:port as endpoint");
    }
    if (cert.isPresent() != key.isPresent()) {
      throw wrong(
          cert.isPresent() ? "tls.key" : "tls.cert",
          "is not set: give certificate and key, or none");
    }
    return Optional.of(
        new TlsConfig(
            name, ca, cert.map(c -> new TlsConfig.Identity(c, key.orElseThrow())), serverName));
  }

  private boolean isWanted(Optional<String> wanted, boolean any) {
    if (wanted.isEmpty()) {
      return any;
    }
    return switch (wanted.get()) {
      case "true" -> true;
      case "false" -> {
        if (any) {
          throw wrong("tls", "is false, and there are settings of TLS: remove one or the other");
        }
        yield false;
      }
      default -> throw wrong("tls", "is '" + wanted.get() + "': set true or false");
    };
  }

  private IllegalArgumentException wrong(String key, String what) {
    return new IllegalArgumentException("plugins.%s.%s: %s".formatted(name, key, what));
  }
}
