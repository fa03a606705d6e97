package dev.berth.embedded.broker;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * What the embedded broker keeps between its runs: the logs, and the ports it had.
 *
 * <p>The ports are a wish, not a promise: whoever took one meanwhile keeps it.
 */
final class DataDirectory {

  private final Path root;
  private final Path logs;

  DataDirectory(Path root) {
    this.root = root.toAbsolutePath();
    this.logs = this.root.resolve("kafka");
  }

  Path root() {
    return root;
  }

  Path logs() {
    return logs;
  }

  /** Formats the storage unless it is formatted already. */
  void format() throws IOException {
    if (Files.exists(logs.resolve("meta.properties"))) {
      return;
    }
    Files.createDirectories(logs);
    Formatter formatter = new Formatter();
    formatter
        .setNodeId(BrokerSettings.NODE_ID)
        .setClusterId(Uuid.randomUuid().toString())
        .setDirectories(List.of(logs.toString()))
        .setMetadataLogDirectory(logs.toString())
        .setControllerListenerName(BrokerSettings.CONTROLLER_LISTENER)
        .setReleaseVersion(MetadataVersion.latestProduction())
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    try {
      formatter.run();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("cannot format " + logs + ": " + e.getMessage(), e);
    }
  }

  /** The port a listener had in the last run, or 0. */
  int lastPort(String listener) throws IOException {
    Path file = portsFile();
    if (!Files.exists(file)) {
      return 0;
    }
    Properties ports = new Properties();
    try (var reader = Files.newBufferedReader(file)) {
      ports.load(reader);
      int port = Integer.parseInt(ports.getProperty(listener, "0"));
      return port >= 0 && port <= 65_535 ? port : 0;
    } catch (IllegalArgumentException e) {
      // A damaged wish is no wish.
      return 0;
    }
  }

  /** Keeps the ports for the next run; a crash leaves the old or the new ones, never half. */
  void rememberPorts(int brokerPort, int controllerPort) throws IOException {
    String text =
        "# Ports of the last run, tried first by the next one.\n%s=%d\n%s=%d\n"
            .formatted(
                BrokerSettings.BROKER_LISTENER,
                brokerPort,
                BrokerSettings.CONTROLLER_LISTENER,
                controllerPort);
    Path next = root.resolve("ports.properties.new");
    Files.writeString(next, text);
    Files.move(
        next, portsFile(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private Path portsFile() {
    return root.resolve("ports.properties");
  }
}
