package dev.berth.workers.metrics;

import dev.berth.records.Call;
import dev.berth.workers.accept.Accepted;
import dev.berth.workers.call.LateSends;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts late sends, {@code berth_late_sends_total} by plugin, and names each in a warning. A
 * plugin shows 0 from its first call on, so that a rate sees the first late one.
 */
public final class LateSendCount implements LateSends {

  private static final Logger LOG = LoggerFactory.getLogger(LateSendCount.class);

  private final MeterRegistry registry;
  private final Map<String, Counter> byPlugin = new ConcurrentHashMap<>();

  /**
   * @param registry where the meter is shown
   */
  public LateSendCount(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void expect(String plugin) {
    counter(plugin);
  }

  private Counter counter(String plugin) {
    return byPlugin.computeIfAbsent(
        plugin,
        id ->
            Counter.builder("berth.late.sends")
                .description("Calls that left the worker after the time allowed")
                .tag("plugin", id)
                .register(registry));
  }

  @Override
  public void late(Accepted accepted, Call call, Duration by) {
    String plugin = accepted.work().getPlugin();
    counter(plugin).increment();
    LOG.warn(
        "late send, this process stood still before it plugin={} attempt={} rpc={} volume={}/{}"
            + " lateMs={}",
        plugin,
        accepted.work().getAttemptId(),
        call.getRpc(),
        call.getNamespace(),
        call.getVolume(),
        by.toMillis());
  }
}
