package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.records.AccessMode;
import dev.berth.records.ClaimReply;
import dev.berth.records.ReplyOutcome;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioning;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutageIT {

  private static final Duration SOON = Duration.ofSeconds(90);

  @Test
  void aClaimMadeWhileTheBrokerIsDownIsAnsweredWhenItIsBack(@TempDir Path directory)
      throws InterruptedException {
    EmbeddedBroker broker = EmbeddedBroker.start(directory);
    Connection connection = Connection.to(broker.bootstrapServers(), "mock://outage");
    provision(connection);
    try (Scheduler scheduler = Scheduler.start(SchedulerConfig.of("east", connection))) {
      broker.close();
      CompletableFuture<ClaimReply> claim =
          scheduler.claim(
              ClaimRequest.write("a1", "n1", "default", "v1", AccessMode.SINGLE_NODE_WRITER)
                  .build());
      broker = EmbeddedBroker.start(directory);
      try (ClaimsStub berth = new ClaimsStub(connection, "default")) {
        assertThat(claim)
            .succeedsWithin(SOON)
            .extracting(ClaimReply::getOutcome)
            .isEqualTo(ReplyOutcome.GRANTED);
        assertThat(berth.seen()).hasSize(1);
      }
    } finally {
      broker.close();
    }
  }

  private static void provision(Connection connection) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", connection.bootstrapServers()));
        Registry registry = Registry.connect(connection.registry())) {
      new Provisioning(connection.topics(), Layout.replicated(1), admin).run(registry);
    }
  }
}
