package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.LanesRow;
import dev.berth.schemas.registry.Registry;
import dev.berth.streams.codec.LaneStoreCodecs;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.State;
import dev.berth.streams.lanes.LaneTables;
import dev.berth.streams.lanes.QueueEntry;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The state over a store")
class StoreStateTest {
  private static final String QUEUE = LaneTables.QUEUE.name();

  private final Registry registry = Registry.over(new MockSchemaRegistryClient());
  private final RowBytes<LanesRow> rows =
      new RowBytes<>(registry, LanesRow.class, LanesRow::new, LanesRow::getRow);
  private KeyValueStore<String, byte[]> store;

  @BeforeEach
  void open() {
    rows.add(LaneStoreCodecs.QUEUE_ENTRY);
    MockProcessorContext<String, byte[]> context = new MockProcessorContext<>();
    store =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore("lanes"), Serdes.String(), Serdes.ByteArray())
            .withLoggingDisabled()
            .build();
    StateStoreContext stores = context.getStateStoreContext();
    store.init(stores, store);
  }

  @AfterEach
  void close() {
    store.close();
    registry.close();
  }

  @Test
  @DisplayName("answers alike for a table that is kept and one that is not")
  void alike() {
    StoreState plain = state(Set.of());
    put(plain, "l/attach/1", "r1");
    StoreState kept = state(Set.of(QUEUE));
    put(kept, "l/attach/2", "r2");
    put(kept, "l/attach/3", "r3");
    put(kept, "l/detach/1", "r4");
    kept.write(kept.rowsOf(List.of(new Change.Remove(LaneTables.QUEUE, "l/attach/2"))));

    for (State state : List.of(plain, kept)) {
      assertThat(state.get(LaneTables.QUEUE, "l/attach/1")).isEqualTo(entry("r1"));
      assertThat(state.get(LaneTables.QUEUE, "l/attach/2")).isNull();
      assertThat(state.scan(LaneTables.QUEUE, "l/attach/"))
          .containsExactly(
              new State.Entry<>("l/attach/1", entry("r1")),
              new State.Entry<>("l/attach/3", entry("r3")));
      assertThat(state.ceiling(LaneTables.QUEUE, "l/attach/", "l/attach/2"))
          .isEqualTo(new State.Entry<>("l/attach/3", entry("r3")));
      assertThat(state.ceiling(LaneTables.QUEUE, "l/attach/", "l/attach/4")).isNull();
      assertThat(state.first(LaneTables.QUEUE, "l/d"))
          .isEqualTo(new State.Entry<>("l/detach/1", entry("r4")));
    }
  }

  @Test
  @DisplayName("reads a kept table when it is first asked for, not when the store is opened")
  void late() {
    StoreState kept = state(Set.of(QUEUE));
    put(state(Set.of()), "l/attach/1", "r1");
    put(kept, "l/attach/2", "r2");

    assertThat(kept.scan(LaneTables.QUEUE, "")).hasSize(2);
  }

  private StoreState state(Set<String> toKeep) {
    return new StoreState(store, rows, "app-lanes-changelog", Set.of(QUEUE), toKeep);
  }

  private static void put(StoreState state, String key, String request) {
    state.write(state.rowsOf(List.of(new Change.Put<>(LaneTables.QUEUE, key, entry(request)))));
  }

  private static QueueEntry entry(String request) {
    return new QueueEntry(request, "n1");
  }
}
