package dev.berth.workers.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a plugin on a TCP port is reached through TLS. All files hold PEM; they are read anew for
 * each new connection, so that renewed certificates need no restart.
 *
 * @param name name of the endpoint within the configuration, for messages
 * @param ca certificates that the plugin's must come from; empty takes those of the JVM
 * @param identity what the worker shows of itself (mTLS); empty for nothing
 * @param serverName name that the plugin's certificate must bear; empty takes the host of the
 *     address
 */
public record TlsConfig(
    String name, Optional<Path> ca, Optional<Identity> identity, Optional<String> serverName) {

  /**
   * What a worker shows of itself.
   *
   * @param cert its certificate, with those that lead to the plugin's CA
   * @param key its key, as PKCS#8 without password
   */
  public record Identity(Path cert, Path key) {}
}
