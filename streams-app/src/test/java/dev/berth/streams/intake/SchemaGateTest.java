package dev.berth.streams.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.records.Node;
import dev.berth.schemas.registry.Registry;
import io.confluent.kafka.schemaregistry.ParsedSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The gate before the topology")
class SchemaGateTest {
  private static final TopicPartition P = new TopicPartition("berth.alloc-events", 3);
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final AwayClient client = new AwayClient();
  private final ManualClock clock = new ManualClock();
  private final SchemaGate gate = new SchemaGate(Registry.over(client), clock);

  @AfterEach
  void close() {
    gate.close();
  }

  @Test
  @DisplayName("opens for what the registry tells, and for what it says it has not")
  void answers() throws Exception {
    int known = client.register("nodes-value", new AvroSchema(Node.getClassSchema()));

    assertThat(gate.opens(known)).isTrue();
    assertThat(gate.opens(4711)).as("the topology rejects it").isTrue();
    assertThat(gate.held()).isEmpty();
  }

  @Test
  @DisplayName("opens for what it has learnt when the registry is away")
  void learnt() throws Exception {
    int known = client.register("nodes-value", new AvroSchema(Node.getClassSchema()));
    assertThat(gate.opens(known)).isTrue();

    client.away = true;

    assertThat(gate.opens(known)).isTrue();
  }

  @Test
  @DisplayName("stays shut while there is no answer, says so, asks again now and then, and opens")
  void holds() throws Exception {
    int schema = client.register("nodes-value", new AvroSchema(Node.getClassSchema()));
    client.away = true;
    assertThat(gate.opens(schema)).isFalse();
    gate.hold(P, 17, schema);
    await().until(() -> client.asked.get() == 1);
    assertThat(gate.opens(schema)).as("not asked again at once").isFalse();
    assertThat(client.asked).hasValue(1);

    assertThat(gate.held())
        .extracting(HeldPartition::text)
        .containsExactly(
            "berth.alloc-events-3 waits at offset 17 since 2030-01-01T00:00:00Z: schema id "
                + schema
                + " is not known here, and the registry gives no answer (schema registry at"
                + " registry did not get schema "
                + schema
                + ": refused)");

    client.away = false;
    clock.now = START.plusSeconds(1);

    await().until(() -> gate.opens(schema));
    gate.release(P);
    assertThat(gate.held()).isEmpty();
  }

  /** A registry that can be away. */
  private static final class AwayClient extends MockSchemaRegistryClient {
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean away;

    @Override
    public ParsedSchema getSchemaById(int id) throws IOException, RestClientException {
      asked.incrementAndGet();
      if (away) {
        throw new IOException("refused");
      }
      return super.getSchemaById(id);
    }
  }

  private static final class ManualClock extends Clock {
    private volatile Instant now = START;

    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(java.time.ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }
}
