package dev.berth.ops.doctor;

import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.config.PluginAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Whether the plugins of a worker's file can be reached from this machine. */
final class SocketChecks {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final String UNIX = "unix://";

  private SocketChecks() {}

  /** Tries each. */
  static List<Check> of(List<EndpointConfig> endpoints) {
    return endpoints.stream().map(SocketChecks::of).toList();
  }

  private static Check of(EndpointConfig endpoint) {
    String name = "plugin socket";
    String what = "plugins.%s.endpoint=%s".formatted(endpoint.name(), endpoint.address());
    try {
      connect(endpoint.address());
      return Check.ok(name, what + " takes connections");
    } catch (IOException e) {
      return Check.wrong(name, what + ": " + reason(endpoint.address(), e), remedy(endpoint));
    }
  }

  private static void connect(PluginAddress address) throws IOException {
    if (address.isUnixSocket()) {
      try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path(address)))) {
        channel.finishConnect();
      }
      return;
    }
    int colon = address.text().lastIndexOf(':');
    String host = address.text().substring(0, colon).replaceAll("[\\[\\]]", "");
    int port = Integer.parseInt(address.text().substring(colon + 1));
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), (int) PATIENCE.toMillis());
    }
  }

  private static String reason(PluginAddress address, IOException e) {
    if (address.isUnixSocket() && !Files.exists(path(address))) {
      return "there is no such socket";
    }
    return String.valueOf(e.getMessage());
  }

  private static String remedy(EndpointConfig endpoint) {
    return "start the plugin on %s, let this user reach its socket, or correct the endpoint"
        .formatted(endpoint.node());
  }

  private static Path path(PluginAddress address) {
    return Path.of(address.text().substring(UNIX.length()));
  }
}
