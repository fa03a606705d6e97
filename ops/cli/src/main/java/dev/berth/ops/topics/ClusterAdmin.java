package dev.berth.ops.topics;

import dev.berth.producers.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** Makes admin clients that do not keep a person waiting for brokers that are away. */
public final class ClusterAdmin {
  /** How long a question to the brokers waits for its answer. */
  public static final Duration PATIENCE = Duration.ofSeconds(10);

  private ClusterAdmin() {}

  /**
   * Makes one; nothing is asked yet.
   *
   * @throws org.apache.kafka.common.KafkaException when the connection's settings cannot be used
   */
  public static Admin open(Connection connection) {
    Map<String, Object> settings = new HashMap<>(connection.kafka());
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.putIfAbsent("default.api.timeout.ms", (int) PATIENCE.toMillis());
    settings.putIfAbsent("request.timeout.ms", (int) PATIENCE.toMillis() / 2);
    return Admin.create(settings);
  }
}
