package dev.berth.workers.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A producer whose meters are shown until it is closed. */
final class MeteredProducer extends KafkaProducer<String, byte[]> {

  private final KafkaClientMetrics metrics;

  MeteredProducer(Map<String, Object> settings, MeterRegistry meters) {
    super(settings, new StringSerializer(), new ByteArraySerializer());
    this.metrics = new KafkaClientMetrics(this);
    metrics.bindTo(meters);
  }

  @Override
  public void close() {
    metrics.close();
    super.close();
  }

  @Override
  public void close(Duration timeout) {
    metrics.close();
    super.close(timeout);
  }
}
