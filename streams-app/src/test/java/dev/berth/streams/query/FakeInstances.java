package dev.berth.streams.query;

import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.topology.ProcessorStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.state.HostInfo;

/** One instance with two partitions of each store in memory; some of them somebody else's. */
final class FakeInstances implements Instances {
  static final HostInfo SELF = new HostInfo("127.0.0.1", 7070);

  private final Map<Integer, MapState> states = new HashMap<>();
  private final Map<Integer, Owners> owners = new HashMap<>();
  private long lag;

  FakeInstances() {
    clear();
    owners.put(0, new Owners(SELF, List.of()));
    owners.put(1, new Owners(SELF, List.of()));
  }

  /** Empties the stores. */
  void clear() {
    states.put(0, new MapState());
    states.put(1, new MapState());
  }

  MapState state(int partition) {
    return states.get(partition);
  }

  void owned(int partition, Owners by) {
    owners.put(partition, by);
  }

  void behind(long records) {
    lag = records;
  }

  @Override
  public HostInfo self() {
    return SELF;
  }

  @Override
  public int partitions(ProcessorStore store) {
    return 2;
  }

  @Override
  public Map<Integer, Owners> owners(ProcessorStore store) {
    return owners;
  }

  @Override
  public State tables(ProcessorStore store, int partition, boolean standby) {
    if (!standby && !SELF.equals(owners.get(partition).active())) {
      throw new UnavailableException("not mine", Duration.ofSeconds(1));
    }
    return states.get(partition);
  }

  @Override
  public long lag(ProcessorStore store, int partition) {
    return lag;
  }
}
