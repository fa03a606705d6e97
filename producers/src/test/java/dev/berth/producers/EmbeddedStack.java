package dev.berth.producers;

import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioning;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A broker, a registry and Berth's topics for the integration tests of this module, made once.
 * Tests stay apart by taking namespaces and scheduler ids of their own.
 */
final class EmbeddedStack implements AutoCloseable {

  private final Path directory;
  private final EmbeddedBroker broker;
  private final EmbeddedRegistry registry;

  private EmbeddedStack() {
    try {
      this.directory = Files.createTempDirectory("berth-producers-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.broker = EmbeddedBroker.start(directory);
    this.registry = EmbeddedRegistry.start(directory);
    provision();
  }

  Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  Registry registry() {
    return Registry.connect(Map.of("schema.registry.url", registry.url()));
  }

  /** A connection to the topics, under the default prefix. */
  Connection connection() {
    return Connection.to(broker.bootstrapServers(), registry.url());
  }

  private void provision() {
    try (Admin admin = admin();
        Registry schemas = registry()) {
      new Provisioning(connection().topics(), Layout.replicated(1), admin).run(schemas);
    }
  }

  @Override
  public void close() {
    registry.close();
    broker.close();
    delete(directory);
  }

  static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives the one stack to every test that asks for it, and closes it after the last. */
  static final class Extension implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == EmbeddedStack.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(ExtensionContext.Namespace.create(EmbeddedStack.class))
          .getOrComputeIfAbsent(
              EmbeddedStack.class, type -> new EmbeddedStack(), EmbeddedStack.class);
    }
  }
}
