package dev.berth.workers.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A consumer whose meters are shown until it is closed. */
final class MeteredConsumer extends KafkaConsumer<String, byte[]> {

  private final KafkaClientMetrics metrics;

  MeteredConsumer(Map<String, Object> settings, MeterRegistry meters) {
    super(settings, new StringDeserializer(), new ByteArrayDeserializer());
    this.metrics = new KafkaClientMetrics(this);
    metrics.bindTo(meters);
  }

  @Override
  public void close() {
    metrics.close();
    super.close();
  }

  @Override
  public void close(CloseOptions option) {
    metrics.close();
    super.close(option);
  }
}
