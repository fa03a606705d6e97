package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.policy.Policies;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.util.List;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A task that Kafka Streams opens anew")
class RevivedTaskTest {
  private final Registry registry = Registry.over(new MockSchemaRegistryClient());
  private final TopologyContext topology =
      new TopologyContext(
          Topics.withDefaultPrefix(), registry, 1, 1, Stores::inMemoryKeyValueStore);
  private final MockProcessorContext<String, Object> context = new MockProcessorContext<>();

  /** The processors that have a clock. */
  enum Owner {
    CLUSTER,
    LANES,
    VOLUME_CLAIMS;

    Processor<String, byte[], String, Object> processor(TopologyContext topology) {
      return switch (this) {
        case CLUSTER -> new ClusterProcessor(topology, tables(topology), Policies.DEFAULTS);
        case LANES -> new LanesProcessor(topology, tables(topology));
        case VOLUME_CLAIMS -> new VolumeClaimsProcessor(topology, tables(topology));
      };
    }

    OwnedTables tables(TopologyContext topology) {
      return switch (this) {
        case CLUSTER -> ClusterSubtopology.tables(topology);
        case LANES -> LanesSubtopology.tables(topology);
        case VOLUME_CLAIMS -> VolumeClaimsSubtopology.tables(topology);
      };
    }
  }

  @BeforeEach
  void setTheClock() {
    context.setCurrentSystemTimeMs(1_000);
  }

  @AfterEach
  void close() {
    registry.close();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("ticks by what its new life has in memory, and not by that of the one before")
  void oneClock(Owner owner) {
    Processor<String, byte[], String, Object> processor = opened(owner);
    processor.close();
    processor.init(context);

    assertThat(cancelled()).containsExactly(true, false);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("does so even when nobody closed the life before")
  void notClosed(Owner owner) {
    Processor<String, byte[], String, Object> processor = opened(owner);
    processor.init(context);

    assertThat(cancelled()).containsExactly(true, false);
  }

  private Processor<String, byte[], String, Object> opened(Owner owner) {
    for (StoreBuilder<?> builder : owner.tables(topology).builders()) {
      var store = builder.withLoggingDisabled().build();
      store.init(context.getStateStoreContext(), store);
      context.addStateStore(store);
    }
    Processor<String, byte[], String, Object> processor = owner.processor(topology);
    processor.init(context);
    return processor;
  }

  private List<Boolean> cancelled() {
    return context.scheduledPunctuators().stream().map(CapturedPunctuator::cancelled).toList();
  }
}
