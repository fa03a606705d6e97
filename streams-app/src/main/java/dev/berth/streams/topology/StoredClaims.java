package dev.berth.streams.topology;

import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import java.util.List;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The stored tables of {@code VolumeClaims}, for those who look at them from outside: scenarios and
 * repairs.
 */
public final class StoredClaims {
  /** Name of the store. */
  public static final String STORE = VolumeClaimsProcessor.NAME;

  private final StoreState state;

  private StoredClaims(StoreState state) {
    this.state = state;
  }

  /**
   * Opens a store.
   *
   * @param applicationId application it belongs to
   */
  public static StoredClaims in(
      KeyValueStore<String, byte[]> store, TopologyContext context, String applicationId) {
    return new StoredClaims(VolumeClaimsSubtopology.tables(context).over(store, applicationId));
  }

  /** The tables. */
  public State state() {
    return state;
  }

  /** Puts a row behind the back of the decider, as a hand edit would. */
  public <V> void put(Table<V> table, String key, V value) {
    state.write(state.rowsOf(List.of(new Change.Put<>(table, key, value))));
  }
}
