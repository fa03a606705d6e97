package dev.berth.streams.topology;

import dev.berth.streams.kernel.State;
import org.apache.kafka.streams.state.KeyValueStore;

/** The stored tables of {@code Lanes}, for those who look at them from outside. */
public final class StoredLanes {
  /** Name of the store. */
  public static final String STORE = LanesProcessor.NAME;

  private StoredLanes() {}

  /**
   * Opens a store.
   *
   * @param applicationId application it belongs to
   * @return the tables
   */
  public static State in(
      KeyValueStore<String, byte[]> store, TopologyContext context, String applicationId) {
    return LanesSubtopology.tables(context).over(store, applicationId);
  }
}
