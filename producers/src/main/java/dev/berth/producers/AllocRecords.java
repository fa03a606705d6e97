package dev.berth.producers;

import dev.berth.records.AllocEvent;
import dev.berth.records.FeedPosition;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.headers.Trace;
import dev.berth.schemas.headers.Traces;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serializer;

/** Makes the records of a scheduler's transactions. Safe for use by many threads. */
final class AllocRecords {

  private final String events;
  private final Serializer<AllocEvent> eventSerializer;
  private final String positions;
  private final Serializer<FeedPosition> positionSerializer;

  AllocRecords(Topics topics, Registry registry) {
    this.events = topics.name(Topic.ALLOC_EVENTS);
    this.eventSerializer = AvroSerde.of(registry, AllocEvent.class).serializer();
    this.positions = topics.name(Topic.FEED_POSITIONS);
    this.positionSerializer = AvroSerde.of(registry, FeedPosition.class).serializer();
  }

  /**
   * The record of an event.
   *
   * @param trace the trace that it belongs to
   */
  ProducerRecord<String, byte[]> of(AllocEvent event, Trace trace) {
    return new ProducerRecord<>(
        events,
        null,
        Keys.volume(event.getNamespace(), event.getVolume()),
        eventSerializer.serialize(events, event),
        StepTimes.NONE.within(Traces.of(trace)).headers());
  }

  ProducerRecord<String, byte[]> of(FeedPosition position) {
    return new ProducerRecord<>(
        positions, position.getFeed(), positionSerializer.serialize(positions, position));
  }
}
