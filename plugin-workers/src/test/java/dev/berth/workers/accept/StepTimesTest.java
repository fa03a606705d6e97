package dev.berth.workers.accept;

import static dev.berth.workers.WorkFixtures.AT_NOON;
import static dev.berth.workers.WorkFixtures.NOON;
import static dev.berth.workers.WorkFixtures.work;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Acceptance;
import dev.berth.records.Work;
import dev.berth.schemas.headers.Step;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topics;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** What {@code berth.at.*} headers say of an attempt that a worker takes. */
class StepTimesTest {

  private static final TopicPartition P = new TopicPartition("berth.plugin-work", 0);
  private static final StepTimes BEFORE =
      StepTimes.NONE
          .with(Step.EVENT, NOON.minusSeconds(3))
          .with(Step.DISPATCHED, NOON.minusSeconds(1));

  private final MockSchemaRegistryClient registry = new MockSchemaRegistryClient();
  private final AvroSerde<Work> works = AvroSerde.of(registry, Work.class);

  @Test
  void theHeadersOfAWorkRecordAreReadWithIt() {
    Work work = work("t1").build();
    ConsumerRecord<String, byte[]> record =
        new ConsumerRecord<>(
            P.topic(),
            P.partition(),
            0,
            0,
            TimestampType.CREATE_TIME,
            0,
            0,
            "ebs",
            works.serializer().serialize(P.topic(), work),
            BEFORE.headers(),
            Optional.empty());

    WorkRecords.Read read =
        new WorkRecords(works.deserializer())
            .read(new ConsumerRecords<>(Map.of(P, List.of(record)), Map.of()), Set.of());

    assertThat(read.times()).isEqualTo(Map.of("t1", BEFORE));
  }

  @Test
  void anAcceptanceSaysWhenTheStepsBeforeItWereAndWhenItsTransactionBegan() {
    MockProducer<String, byte[]> producer =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    Accepted accepted = Accepted.of(work("t1").build(), "w1", "x1", AT_NOON, BEFORE);
    try (AcceptTransaction transaction =
        new AcceptTransaction(
            () -> producer,
            Topics.withDefaultPrefix(),
            AvroSerde.of(registry, Acceptance.class).serializer())) {
      transaction.prepare();
      transaction.commit(List.of(accepted), List.of(), Map.of(), groupMember().groupMetadata());

      assertThat(producer.history())
          .extracting(record -> StepTimes.of(record.headers()))
          .containsExactly(BEFORE.with(Step.ACCEPTED, NOON));
    }
  }

  private static MockConsumer<String, byte[]> groupMember() {
    return new MockConsumer<>("earliest");
  }
}
