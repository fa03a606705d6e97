package dev.berth.streams.query.session;

import dev.berth.records.ApiSession;
import dev.berth.records.GarbageCollection;
import dev.berth.records.Signal;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.serde.UnreadableRecordException;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.query.TopicAccess;
import dev.berth.streams.query.UnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topic of sessions: reads all of it into the table, and writes to it. Hears too when Berth
 * collects garbage, periodically or because an operator asked: that is a signal, of which each
 * partition of {@code volume-signals} has a copy. Its thread owns the consumer; everything else may
 * be called by any thread.
 */
final class SessionLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SessionLog.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration CLOSING = Duration.ofSeconds(2);

  /** Longer than brokers take to answer, and shorter than somebody waits for a page. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final TopicAccess access;
  private final String topic;
  private final SessionTable table;
  private final InstantSource clock;
  private final AvroSerde<ApiSession> values;
  private final AvroSerde<Signal> signals;
  private final TopicPartition signalled;
  private final Runnable collection;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final ConcurrentLinkedQueue<CompletableFuture<Void>> asked =
      new ConcurrentLinkedQueue<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final Thread thread;
  private @Nullable Producer<String, byte[]> producer;

  /**
   * Begins to read.
   *
   * @param collection told when garbage is collected, by the thread that reads
   */
  SessionLog(TopicAccess access, SessionTable table, InstantSource clock, Runnable collection) {
    this.access = access;
    this.clock = clock;
    this.topic = access.topics().name(Topic.API_SESSIONS);
    this.table = table;
    this.values = AvroSerde.of(access.registry(), ApiSession.class);
    this.signals = AvroSerde.of(access.registry(), Signal.class);
    this.signalled = new TopicPartition(access.topics().name(Topic.VOLUME_SIGNALS), 0);
    this.collection = collection;
    this.thread = new Thread(this::run, "berth-api-sessions");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Somebody waits until so much was read.
   *
   * @param ends where the partitions ended when it was asked
   */
  private record Waiting(Map<TopicPartition, Long> ends, List<CompletableFuture<Void>> who) {}

  /**
   * Waits until everything is in the table that was on the topic when this was called.
   *
   * @throws UnavailableException when it is not within some seconds
   */
  void catchUp() {
    CompletableFuture<Void> read = new CompletableFuture<>();
    asked.add(read);
    await(read, "the topic of sessions is not read to its end yet");
  }

  /**
   * Writes a record, and waits until the brokers have it.
   *
   * @param value null for a tombstone
   * @throws UnavailableException when they do not say that they do
   */
  void write(String key, @Nullable ApiSession value) {
    CompletableFuture<Void> written = new CompletableFuture<>();
    try {
      byte[] bytes = value == null ? null : values.serializer().serialize(topic, value);
      var unused =
          producer()
              .send(
                  // Its time decides whether it comes too late, and expiry is reckoned by this
                  // clock.
                  new ProducerRecord<>(topic, null, clock.millis(), key, bytes),
                  (metadata, failure) -> {
                    if (failure == null) {
                      written.complete(null);
                    } else {
                      written.completeExceptionally(failure);
                    }
                  });
    } catch (KafkaException e) {
      written.completeExceptionally(e);
    }
    await(written, "the session could not be written");
  }

  private static void await(CompletableFuture<Void> done, String what) {
    try {
      done.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException(what, Duration.ofSeconds(1));
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("{}", what, e);
      throw new UnavailableException(what, Duration.ofSeconds(1));
    }
  }

  private synchronized Producer<String, byte[]> producer() {
    if (closing.getCount() == 0) {
      throw new UnavailableException("this instance ends", Duration.ofSeconds(1));
    }
    Producer<String, byte[]> known = producer;
    if (known == null) {
      known = access.producers().get();
      producer = known;
    }
    return known;
  }

  @Override
  public void close() {
    closing.countDown();
    synchronized (this) {
      if (producer != null) {
        producer.close(CLOSING);
      }
    }
    try {
      thread.join(CLOSING.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try (Consumer<String, byte[]> consumer = access.consumers().get()) {
      while (closing.getCount() > 0 && !assigned(consumer)) {
        pause();
      }
      while (closing.getCount() > 0) {
        step(consumer);
      }
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    } catch (InterruptedException | InterruptException e) {
      LOG.debug("reading sessions was interrupted");
    } catch (RuntimeException e) {
      LOG.error("reading sessions failed; none will be known any more", e);
    }
  }

  private boolean assigned(Consumer<String, byte[]> consumer) {
    try {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      List<TopicPartition> all = new ArrayList<>(partitions);
      all.add(signalled);
      consumer.assign(all);
      consumer.seekToBeginning(partitions);
      consumer.seekToEnd(List.of(signalled));
      return true;
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      LOG.warn("sessions cannot be read yet topic={}: {}", topic, e.getMessage());
      return false;
    }
  }

  private void step(Consumer<String, byte[]> consumer) throws InterruptedException {
    try {
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
        if (record.topic().equals(topic)) {
          take(record);
        } else {
          hear(record);
        }
      }
      takeAsked(consumer);
      waiting.removeIf(each -> settled(each, consumer));
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      LOG.warn("reading sessions failed and is tried again", e);
      pause();
    }
  }

  /** Whoever asked after this look at the ends is told by the next one. */
  private void takeAsked(Consumer<String, byte[]> consumer) {
    List<CompletableFuture<Void>> who = new ArrayList<>();
    for (CompletableFuture<Void> each = asked.poll(); each != null; each = asked.poll()) {
      who.add(each);
    }
    if (who.isEmpty()) {
      return;
    }
    try {
      Set<TopicPartition> partitions = new HashSet<>(consumer.assignment());
      partitions.remove(signalled);
      waiting.add(new Waiting(consumer.endOffsets(partitions), who));
    } catch (KafkaException e) {
      who.forEach(each -> each.completeExceptionally(e));
      throw e;
    }
  }

  private static boolean settled(Waiting one, Consumer<String, byte[]> consumer) {
    boolean read =
        one.ends().entrySet().stream()
            .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    if (read) {
      one.who().forEach(each -> each.complete(null));
    }
    return read;
  }

  private void take(ConsumerRecord<String, byte[]> record) throws InterruptedException {
    while (closing.getCount() > 0) {
      try {
        table.take(
            record.key(),
            values.deserializer().deserialize(topic, record.value()),
            Instant.ofEpochMilli(record.timestamp()));
        return;
      } catch (UnreadableRecordException e) {
        LOG.warn("a session cannot be read and is passed over offset={}", record.offset(), e);
        return;
      } catch (RegistryUnavailableException e) {
        // What comes behind it means something else without it.
        pause();
      }
    }
  }

  private void hear(ConsumerRecord<String, byte[]> record) {
    try {
      Signal signal = signals.deserializer().deserialize(record.topic(), record.value());
      if (signal != null && signal.getBody() instanceof GarbageCollection) {
        collection.run();
      }
    } catch (UnreadableRecordException | RegistryUnavailableException e) {
      // It may have been a collection: the next one does its work too.
      LOG.debug("a signal cannot be read offset={}", record.offset(), e);
    }
  }

  private void pause() throws InterruptedException {
    if (closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
      LOG.debug("closing while sessions cannot be read");
    }
  }
}
