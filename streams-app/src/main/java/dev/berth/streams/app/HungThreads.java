package dev.berth.streams.app;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Tells which stream threads hang. A thread that works asks for records again and again, also when
 * there are none and while brokers are away; Kafka takes one for dead that has not for {@code
 * max.poll.interval.ms}, gives its partitions to others, and takes it back when it asks again. One
 * that hangs never does, and only another start helps.
 *
 * @param longest time after which a thread hangs
 */
record HungThreads(Duration longest) {
  private static final String AGE = "last-poll-seconds-ago";
  private static final String GROUP = "consumer-metrics";
  private static final String CLIENT = "client-id";

  /** What a stream thread's own consumer is called behind the thread; its others restore. */
  private static final String CONSUMER = "-consumer";

  private static final String RESTORING = "-restore-consumer";

  /** A line for each thread that hangs, by what the clients of Kafka Streams measure. */
  List<String> among(Map<MetricName, ? extends Metric> metrics) {
    return metrics.entrySet().stream()
        .filter(metric -> metric.getKey().name().equals(AGE))
        .filter(metric -> metric.getKey().group().equals(GROUP))
        .flatMap(metric -> line(metric.getKey(), metric.getValue()).stream())
        .sorted()
        .toList();
  }

  /** How many stream threads have asked at least once (count): what can be told at all. */
  static long polling(Map<MetricName, ? extends Metric> metrics) {
    return metrics.entrySet().stream()
        .filter(metric -> metric.getKey().name().equals(AGE))
        .filter(metric -> thread(metric.getKey()).isPresent())
        .filter(metric -> age(metric.getValue()).isPresent())
        .count();
  }

  private Optional<String> line(MetricName name, Metric metric) {
    Optional<Duration> age = age(metric).filter(each -> each.compareTo(longest) > 0);
    return thread(name)
        .flatMap(
            thread ->
                age.map(
                    each ->
                        "thread %s hangs: it has asked for no records for %d s; its stack tells where"
                            .formatted(thread, each.toSeconds())));
  }

  private static Optional<String> thread(MetricName name) {
    return Stream.ofNullable(name.tags().get(CLIENT))
        .filter(client -> client.endsWith(CONSUMER) && !client.endsWith(RESTORING))
        .map(client -> client.substring(0, client.length() - CONSUMER.length()))
        .findFirst();
  }

  /** Before its first time a consumer says -1. */
  private static Optional<Duration> age(Metric metric) {
    return metric.metricValue() instanceof Number seconds && seconds.longValue() >= 0
        ? Optional.of(Duration.ofSeconds(seconds.longValue()))
        : Optional.empty();
  }
}
