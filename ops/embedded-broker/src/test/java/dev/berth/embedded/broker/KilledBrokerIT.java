package dev.berth.embedded.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@DisplayName("A broker that starts where one was killed")
class KilledBrokerIT {

  private static final String GROUP = "readers";

  /** What the group coordinator says before it reads a partition of its groups. */
  private static final String LOADING = "Scheduling loading of metadata from ";

  @TempDir Path directory;
  @TempDir Path afterTheKill;

  @Test
  @DisplayName("takes its groups up once, and gives up the members that are gone")
  void groups() throws Exception {
    leaveMemberBehind();
    Logger coordinator =
        (Logger)
            LoggerFactory.getLogger(
                "org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime");
    ListAppender<ILoggingEvent> said = new ListAppender<>();
    said.start();
    Level before = coordinator.getLevel();
    coordinator.setLevel(Level.INFO);
    coordinator.addAppender(said);

    try (EmbeddedBroker broker = EmbeddedBroker.start(afterTheKill);
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      await()
          .atMost(Duration.ofSeconds(40))
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                ConsumerGroupDescription group = described(admin);
                assertThat(group.members()).isEmpty();
                assertThat(group.groupState()).isEqualTo(GroupState.EMPTY);
              });
    } finally {
      coordinator.detachAppender(said);
      coordinator.setLevel(before);
    }

    // A second load of a partition is what Kafka's coordinator does not survive in every case.
    assertThat(loaded(said.list)).isNotEmpty().doesNotHaveDuplicates();
  }

  /** The directory as a kill leaves it: the broker runs in it, and a group has a member. */
  private void leaveMemberBehind() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory);
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
        KafkaConsumer<String, String> member = consumer(broker)) {
      admin.createTopics(List.of(new NewTopic("events", 1, (short) 1))).all().get();
      member.subscribe(List.of("events"));
      await()
          .until(
              () -> {
                member.poll(Duration.ofMillis(100));
                return !member.assignment().isEmpty();
              });
      copy(directory, afterTheKill);
    }
  }

  private static ConsumerGroupDescription described(Admin admin)
      throws ExecutionException, InterruptedException {
    return admin.describeConsumerGroups(List.of(GROUP)).describedGroups().get(GROUP).get();
  }

  private static List<String> loaded(List<ILoggingEvent> said) {
    return List.copyOf(said).stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.contains(LOADING))
        .map(line -> line.substring(line.indexOf(LOADING) + LOADING.length()))
        .map(line -> line.substring(0, line.indexOf(' ')))
        .toList();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  private static KafkaConsumer<String, String> consumer(EmbeddedBroker broker) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            broker.bootstrapServers(),
            "group.id",
            GROUP,
            "group.protocol",
            "consumer"),
        new StringDeserializer(),
        new StringDeserializer());
  }
}
