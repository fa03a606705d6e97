package dev.berth.ops.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackConfig;
import dev.berth.ops.stack.StackPlugin;
import dev.berth.producers.Author;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.Commands;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.VolumeSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that are not ours read our topics: kafkajs with Confluent's JavaScript registry client.
 * In profile {@code interop}, because it needs Node and packages of npm.
 */
@DisplayName("A consumer that is not ours")
class ForeignConsumerInterop {
  private static final Path INTEROP = Path.of("..", "interop");

  @TempDir Path data;

  @Test
  @DisplayName("reads the claim table through the registry")
  void readsTheClaimTable() throws Exception {
    assumeTrue(succeeds("node", "--version"), "Node is not installed: install it to run this test");
    assumeTrue(
        Files.isDirectory(INTEROP.resolve("node_modules")),
        "ops/interop/node_modules is missing: run 'npm ci' in ops/interop to run this test");
    try (EmbeddedStack stack =
        EmbeddedStack.start(StackConfig.in(data), Clock.systemUTC(), step -> {})) {
      claim(stack);
      List<String> lines = read(stack, "berth.claims", "default/v1/a1");
      JsonNode last = new ObjectMapper().readTree(lines.get(lines.size() - 1));
      assertThat(last.path("key").asText()).isEqualTo("default/v1/a1");
      JsonNode claim = last.path("value");
      assertThat(claim.path("alloc").asText()).isEqualTo("a1");
      assertThat(claim.path("node").asText()).isEqualTo("n1");
      assertThat(claim.path("mode").asText()).isEqualTo("WRITE");
      assertThat(claim.path("access").asText()).isEqualTo("SINGLE_NODE_WRITER");
    }
  }

  private static void claim(EmbeddedStack stack) throws Exception {
    VolumeSpec volume =
        VolumeSpec.newBuilder()
            .setNamespace("default")
            .setVolume("v1")
            .setPlugin(StackPlugin.GCE)
            .setExternalId("disk-1")
            .setCapabilities(
                List.of(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
            .build();
    try (Commands commands = Commands.start(stack.connection());
        Scheduler scheduler =
            Scheduler.start(SchedulerConfig.of(stack.config().scheduler(), stack.connection()))) {
      commands.registerVolume(volume, Author.of("interop")).get(30, TimeUnit.SECONDS);
      scheduler
          .claim(
              ClaimRequest.write("a1", "n1", "default", "v1", AccessMode.SINGLE_NODE_WRITER)
                  .build())
          .get(30, TimeUnit.SECONDS);
    }
  }

  private static List<String> read(EmbeddedStack stack, String topic, String key)
      throws IOException, InterruptedException {
    Process node =
        new ProcessBuilder(
                "node", "read-until.mjs", stack.bootstrapServers(), stack.registryUrl(), topic, key)
            .directory(INTEROP.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(node.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException notThere) {
      return false;
    }
  }
}
