package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectionTest {

  private final Connection connection =
      Connection.to("broker:9092", "http://user:hunter2@registry:8081")
          .withPrefix("blue")
          .withKafka(
              Map.of(
                  "sasl.jaas.config", "password=hunter2",
                  "acks", "0",
                  "enable.idempotence", "false",
                  "partitioner.class", "com.example.Other",
                  "isolation.level", "read_uncommitted",
                  "linger.ms", "7"));

  @Test
  void showsNoSecret() {
    assertThat(connection)
        .hasToString(
            "Connection[bootstrapServers=broker:9092, registry=http://registry:8081, prefix=blue]");
    assertThat(SchedulerConfig.of("east", connection).toString()).doesNotContain("hunter2");
  }

  @Test
  void aCallersSettingsCannotWeakenWhatIsGuaranteed() {
    Map<String, Object> producer = KafkaSettings.transactionalProducer(connection, "t1");
    Map<String, Object> consumer = KafkaSettings.consumer(connection);

    assertThat(producer)
        .containsEntry("acks", "all")
        .containsEntry("enable.idempotence", true)
        .containsEntry("transactional.id", "t1")
        .containsEntry("transaction.timeout.ms", 10_000)
        .containsEntry("linger.ms", "7")
        .containsEntry("sasl.jaas.config", "password=hunter2")
        .doesNotContainKey("partitioner.class");
    assertThat(consumer)
        .containsEntry("isolation.level", "read_committed")
        .doesNotContainKey("group.id");
  }

  @Test
  void refusesALingerThatWouldDelayEveryClaim() {
    assertThatThrownBy(
            () -> SchedulerConfig.of("east", connection).withLinger(Duration.ofMillis(11)))
        .hasMessage("linger PT0.011S is out of range: give 0 to PT0.01S");
  }

  @Test
  void refusesATimeoutInWhichNothingCanBeWritten() {
    assertThatThrownBy(() -> SchedulerConfig.of("east", connection).withWriteTimeout(Duration.ZERO))
        .hasMessageStartingWith("writeTimeout PT0S is too short");
  }
}
