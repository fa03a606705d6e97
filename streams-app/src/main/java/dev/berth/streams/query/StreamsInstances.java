package dev.berth.streams.query;

import dev.berth.streams.kernel.State;
import dev.berth.streams.topology.ProcessorStore;
import dev.berth.streams.topology.TopologyContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.LagInfo;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The instances as Kafka Streams knows them. Who has a partition of a store follows from who is
 * assigned the partition of a topic that its processor reads: the same for a key and for a list, so
 * that both find the same owner.
 */
public final class StreamsInstances implements Instances {
  /** A rebalance without state to restore is over by then. */
  private static final Duration REBALANCE = Duration.ofSeconds(1);

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  /** Records that are restored in a second, cautiously (count). */
  private static final long RESTORED_PER_SECOND = 20_000;

  private final KafkaStreams streams;
  private final TopologyContext context;
  private final HostInfo self;
  private final Map<ProcessorStore, Function<ReadOnlyKeyValueStore<String, byte[]>, State>>
      readers = new EnumMap<>(ProcessorStore.class);

  /**
   * Looks at an application.
   *
   * @param streams the application
   * @param context what its topology was built for
   * @param applicationId its id
   * @param self this instance, as {@code application.server} tells the others
   */
  public StreamsInstances(
      KafkaStreams streams, TopologyContext context, String applicationId, HostInfo self) {
    this.streams = streams;
    this.context = context;
    this.self = self;
    for (ProcessorStore store : ProcessorStore.values()) {
      readers.put(store, store.reader(context, applicationId));
    }
  }

  @Override
  public HostInfo self() {
    return self;
  }

  @Override
  public int partitions(ProcessorStore store) {
    return store.partitions(context);
  }

  @Override
  public Map<Integer, Owners> owners(ProcessorStore store) {
    Iterable<StreamsMetadata> clients = clients();
    String topic = context.topics().name(store.source());
    Map<Integer, Owners> owners = new TreeMap<>();
    for (int partition = 0; partition < partitions(store); partition++) {
      TopicPartition source = new TopicPartition(topic, partition);
      Owners found = Owners.NONE;
      List<HostInfo> standbys = new ArrayList<>();
      for (StreamsMetadata client : clients) {
        if (client.topicPartitions().contains(source)) {
          found = new Owners(client.hostInfo(), List.of());
        }
        if (client.standbyTopicPartitions().contains(source)) {
          standbys.add(client.hostInfo());
        }
      }
      owners.put(partition, new Owners(found.active(), standbys));
    }
    return owners;
  }

  @Override
  public State tables(ProcessorStore store, int partition, boolean standby) {
    StoreQueryParameters<ReadOnlyKeyValueStore<String, byte[]>> parameters =
        StoreQueryParameters.<ReadOnlyKeyValueStore<String, byte[]>>fromNameAndType(
                store.storeName(), QueryableStoreTypes.keyValueStore())
            .withPartition(partition);
    try {
      ReadOnlyKeyValueStore<String, byte[]> found =
          streams.store(standby ? parameters.enableStaleStores() : parameters);
      Function<ReadOnlyKeyValueStore<String, byte[]>, State> reader = readers.get(store);
      if (reader == null) {
        throw new IllegalStateException("no reader of " + store);
      }
      return reader.apply(found);
    } catch (InvalidStateStoreException | IllegalStateException e) {
      throw unavailable(store, partition);
    }
  }

  @Override
  public long lag(ProcessorStore store, int partition) {
    try {
      LagInfo lag =
          streams
              .allLocalStorePartitionLags()
              .getOrDefault(store.storeName(), Map.of())
              .get(partition);
      return lag == null ? 0 : Math.max(0, lag.offsetLag());
    } catch (RuntimeException e) {
      // The brokers tell where the log ends; without them nobody knows.
      return 0;
    }
  }

  private UnavailableException unavailable(ProcessorStore store, int partition) {
    long behind = lag(store, partition);
    Duration restore = Duration.ofMillis(behind * 1000 / RESTORED_PER_SECOND);
    Duration wait = REBALANCE.plus(restore);
    return new UnavailableException(
        "instance %s does not have partition %d of %s ready: it is %s, %d records are to be restored"
            .formatted(ApiServer.text(self), partition, store.storeName(), streams.state(), behind),
        wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait);
  }

  private Iterable<StreamsMetadata> clients() {
    try {
      return streams.metadataForAllStreamsClients();
    } catch (IllegalStateException | InvalidStateStoreException e) {
      throw new UnavailableException(
          "instance %s is %s".formatted(ApiServer.text(self), streams.state()), REBALANCE);
    }
  }
}
