package dev.berth.workers.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.config.PluginAddress;
import dev.berth.workers.csi.PluginConnection;
import dev.berth.workers.csi.PluginEndpoint;
import dev.berth.workers.time.Clocks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The accept loops ask for looks in their own threads, which must go on polling. */
class LookSoonTest {

  @TempDir Path sockets;

  @Test
  void whoeverAsksForALookIsNotHeldUpByAReportThatWaitsForTheCluster() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    PluginTopic slow =
        new PluginTopic() {
          @Override
          public CompletableFuture<Void> publish(String key, PluginInstance instance) {
            return CompletableFuture.completedFuture(null);
          }

          @Override
          public Optional<PluginInstance> last(String key) {
            reading.countDown();
            await().atMost(Duration.ofMinutes(1)).until(() -> answered.getCount() == 0);
            return Optional.empty();
          }
        };
    // Nobody listens there: the plugin is down when the worker starts.
    PluginAddress nobody = new PluginAddress("unix://" + sockets.resolve("csi.sock"));
    PluginEndpoint endpoint =
        new PluginEndpoint(
            new EndpointConfig(
                "a",
                Optional.of("ebs"),
                PluginRole.CONTROLLER,
                "n1",
                "pool",
                nobody,
                Optional.empty(),
                Optional.empty()),
            PluginConnection.plaintext(nobody),
            Path.of("/csi"));
    try (Discovery discovery =
        new Discovery(
            List.of(endpoint),
            "w1",
            Duration.ofSeconds(30),
            slow,
            (config, plugin) -> true,
            route -> true,
            Clocks.system())) {
      discovery.start();
      reading.await();

      CompletableFuture<Void> asked = CompletableFuture.runAsync(discovery::lookSoon);
      CompletableFuture<Void> health = CompletableFuture.runAsync(discovery::waiting);

      try {
        assertThat(asked)
            .as("an accept loop after a rebalance")
            .succeedsWithin(Duration.ofSeconds(5));
        assertThat(health).as("/health").succeedsWithin(Duration.ofSeconds(5));
      } finally {
        answered.countDown();
      }
    } finally {
      endpoint.close();
    }
  }
}
