package dev.berth.streams.query;

import com.google.protobuf.Message;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A watch from its begin to its end, on one thread: each poll of its topics takes a step. */
final class WatchRun<C extends Message> extends ServerCallStreamObserver<C> {
  private static final Topics TOPICS = new Topics("t");

  final List<C> told = new ArrayList<>();
  @Nullable Throwable failure;
  private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("latest");
  private long offset;

  /**
   * Runs.
   *
   * @param steps what happens between two looks at the topics; then it ends
   */
  <Q extends Message, T extends Message, R extends Message> void run(
      Watchable<Q, T, R, C> watched,
      Message request,
      Lister lister,
      InstantSource clock,
      List<Runnable> steps) {
    Node broker = new Node(1, "127.0.0.1", 9092);
    for (Topic topic : watched.causes().keySet()) {
      String name = TOPICS.name(topic);
      consumer.updatePartitions(
          name,
          List.of(new PartitionInfo(name, 0, broker, new Node[] {broker}, new Node[] {broker})));
      consumer.updateEndOffsets(Map.of(new TopicPartition(name, 0), 0L));
    }
    TopicAccess access =
        new TopicAccess(
            TOPICS,
            null,
            () -> consumer,
            () -> {
              throw new UnsupportedOperationException("a watch writes nothing");
            });
    Watch<Q, T, R, C> watch = new Watch<>(watched, request, access, lister, this, clock);
    steps.forEach(consumer::schedulePollTask);
    consumer.schedulePollTask(watch::end);
    watch.run();
  }

  /** Writes a record; in a step. */
  void record(Topic topic, String key) {
    consumer.addRecord(new ConsumerRecord<>(TOPICS.name(topic), 0, offset++, key, new byte[0]));
  }

  @Override
  public void onNext(C change) {
    told.add(change);
  }

  @Override
  public void onError(Throwable why) {
    failure = why;
  }

  @Override
  public void onCompleted() {
    throw new AssertionError("a watch has no end of its own");
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setOnCancelHandler(Runnable handler) {
    // Never cancelled.
  }

  @Override
  public void setOnReadyHandler(Runnable handler) {
    // Always ready.
  }

  @Override
  public void setCompression(String compression) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void setMessageCompression(boolean enable) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void disableAutoInboundFlowControl() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void request(int count) {
    throw new UnsupportedOperationException();
  }
}
