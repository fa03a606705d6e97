package dev.berth.ops.chaos;

import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import java.io.IOException;
import java.nio.file.Path;

/** Broker and registry: {@code BrokerMain DIRECTORY BROKER-PORT REGISTRY-PORT}. */
public final class BrokerMain {

  private BrokerMain() {}

  /** See the class; returns when both serve, and what they started keeps the process. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    EmbeddedRegistry registry =
        EmbeddedRegistry.start(directory.resolve("registry"), Integer.parseInt(args[2]));
    EmbeddedBroker broker =
        EmbeddedBroker.in(directory.resolve("broker")).port(Integer.parseInt(args[1])).start();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  broker.close();
                  registry.close();
                },
                "shutdown"));
    Child.sayReady();
  }
}
