package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.producers.Connection;
import dev.berth.schemas.topics.Topics;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class ConnectionOptionsTest {

  @Command(name = "talk")
  static final class Talk implements Runnable {
    @Mixin
    private final ConnectionOptions options =
        new ConnectionOptions(Map.of("BERTH_SCHEMA_REGISTRY_URL", "http://variable:1"));

    @Override
    public void run() {}
  }

  @Test
  @DisplayName("flags reach the connection, over the variables")
  void flags() {
    Talk talk = parsed("--bootstrap-servers", "b:1", "--prefix", "p", "--set", "kafka.client.id=c");
    assertThat(talk.options.connection())
        .isEqualTo(
            new Connection(
                "b:1",
                Map.of("schema.registry.url", "http://variable:1"),
                new Topics("p"),
                Map.of("client.id", "c")));
  }

  @Test
  @DisplayName("a connection that cannot be used is a usage error of the command")
  void usage() {
    Talk talk = parsed("--bootstrap-servers", "b:1", "--registry", "ftp://x");
    assertThatThrownBy(talk.options::connection)
        .isInstanceOfSatisfying(
            ParameterException.class,
            e -> assertThat(e.getCommandLine().getCommandName()).isEqualTo("talk"))
        .hasMessageStartingWith("schema.registry.url=ftp://x has no known scheme");
  }

  private static Talk parsed(String... args) {
    Talk talk = new Talk();
    new CommandLine(talk).parseArgs(args);
    return talk;
  }
}
