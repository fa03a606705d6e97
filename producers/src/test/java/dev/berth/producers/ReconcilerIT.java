package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.berth.records.AllocEvent;
import dev.berth.records.AllocGone;
import dev.berth.records.Claim;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedStack.Extension.class)
class ReconcilerIT {

  private final Connection connection;
  private final String topic;

  ReconcilerIT(EmbeddedStack stack) {
    this.connection = stack.connection();
    this.topic = connection.topics().name(Topic.CLAIMS);
  }

  @Test
  void rowsOfAnOpenOrAbortedTransactionAreNotJudged() throws Exception {
    Claim dead = Claims.live("reconciled", "recon", "v1", "dead", 3, 1);
    Claim aborted = Claims.live("reconciled", "recon", "v2", "aborted", 4, 1);
    Claim open = Claims.live("reconciled", "recon", "v3", "open", 5, 1);
    try (Registry registry = Registry.connect(connection.registry());
        Producer<String, byte[]> berth = transactional("recon-berth");
        Producer<String, byte[]> other = transactional("recon-other");
        Scheduler scheduler = Scheduler.start(SchedulerConfig.of("reconciled", connection))) {
      berth.beginTransaction();
      berth.send(row(registry, dead));
      berth.commitTransaction();
      berth.beginTransaction();
      berth.send(row(registry, aborted));
      berth.flush();
      berth.abortTransaction();
      other.beginTransaction();
      other.send(row(registry, open));
      other.flush();
      Map<Integer, Long> ends = new HashMap<>();

      ReconcileReport report =
          Reconciler.of(
                  scheduler,
                  () -> {
                    // Ends between the reading and the list: taken after it, as far as we know.
                    other.commitTransaction();
                    ends.putAll(ends());
                    return LiveAllocs.of(List.of("alive"));
                  })
              .reconcile();

      assertThat(List.of(report.own(), report.gone())).containsExactly(1L, 1L);
      assertThat(report.position()).containsOnlyKeys(ends.keySet());
      assertThat(report.position().values().stream().mapToLong(Long::longValue).sum())
          .isLessThan(ends.values().stream().mapToLong(Long::longValue).sum());
      assertThat(said())
          .extracting(AllocEvent::getAlloc, AllocEvent::getVolume, AllocEvent::getBody)
          .containsExactly(tuple("dead", "v1", new AllocGone(3L)));
    }
  }

  private List<AllocEvent> said() {
    try (TopicReader<AllocEvent> reader =
        new TopicReader<>(
            connection,
            connection.topics().name(Topic.ALLOC_EVENTS),
            AllocEvent.class,
            "read_committed")) {
      return reader.toTheEnd().stream()
          .map(record -> record.value())
          .filter(event -> event.getNamespace().equals("recon"))
          .toList();
    }
  }

  private Map<Integer, Long> ends() {
    try (TopicReader<Claim> reader =
        new TopicReader<>(connection, topic, Claim.class, "read_committed")) {
      return reader.ends();
    }
  }

  private Producer<String, byte[]> transactional(String id) {
    Producer<String, byte[]> producer =
        new KafkaProducer<>(KafkaSettings.transactionalProducer(connection, id));
    producer.initTransactions();
    return producer;
  }

  private ProducerRecord<String, byte[]> row(Registry registry, Claim claim) {
    Serializer<Claim> serializer = AvroSerde.of(registry, Claim.class).serializer();
    // Rows lie where their volume lies, as Berth writes them.
    int partition =
        Keys.partition(Keys.volume(claim.getNamespace(), claim.getVolume()), ends().size());
    return new ProducerRecord<>(
        topic, partition, SeenClaim.of(claim).key(), serializer.serialize(topic, claim));
  }
}
