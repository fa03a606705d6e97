package dev.berth.workers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests that keep to a route of their own one stack together: it starts with the first that
 * asks and ends with the last test of the process.
 */
final class SharedWorkerStack implements ParameterResolver {

  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(SharedWorkerStack.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == WorkerStack.class;
  }

  @Override
  public WorkerStack resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(STORE)
        .getOrComputeIfAbsent(WorkerStack.class, unused -> Running.start(), Running.class)
        .stack();
  }

  private record Running(Path directory, WorkerStack stack) implements AutoCloseable {

    static Running start() {
      Awaitility.setDefaultTimeout(Duration.ofSeconds(40));
      try {
        Path directory = Files.createTempDirectory("berth-workers-");
        return new Running(directory, WorkerStack.start(directory));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      stack.close();
      List<Path> files;
      try (Stream<Path> walk = Files.walk(directory)) {
        files = walk.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
  }
}
