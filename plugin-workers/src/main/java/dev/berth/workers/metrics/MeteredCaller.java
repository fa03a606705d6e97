package dev.berth.workers.metrics;

import dev.berth.records.Call;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.workers.accept.Accepted;
import dev.berth.workers.call.CallResult;
import dev.berth.workers.call.PluginCaller;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Times the calls of another caller: {@code berth_rpc_seconds} by plugin, call, code and whether
 * the plugin answered, of those that left the worker; {@code berth_calls_not_sent_total} by plugin
 * and reason, of the others; that one shows 0 from a plugin's first call on, so that a rate sees
 * the first that was not sent.
 */
public final class MeteredCaller implements PluginCaller {

  /** From an answer of a plugin on this machine to the longest time that a call is given. */
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2500),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30),
    Duration.ofSeconds(60),
    Duration.ofSeconds(120),
    Duration.ofSeconds(300)
  };

  private final PluginCaller caller;
  private final MeterRegistry registry;
  private final Set<String> expected = ConcurrentHashMap.newKeySet();

  private MeteredCaller(PluginCaller caller, MeterRegistry registry) {
    this.caller = caller;
    this.registry = registry;
  }

  /**
   * Times a caller's calls.
   *
   * @param caller makes the calls
   * @param registry where the meters are shown, and whose clock is used
   */
  public static PluginCaller over(PluginCaller caller, MeterRegistry registry) {
    return new MeteredCaller(caller, registry);
  }

  @Override
  public CallResult call(Accepted accepted, Call call) {
    expect(accepted.work().getPlugin());
    Clock clock = registry.config().clock();
    long began = clock.monotonicTime();
    CallResult result = caller.call(accepted, call);
    count(accepted.work().getPlugin(), call.getRpc(), result, clock.monotonicTime() - began);
    return result;
  }

  private void expect(String plugin) {
    if (expected.add(plugin)) {
      EnumSet.complementOf(EnumSet.of(NotSentReason.NONE))
          .forEach(reason -> notSent(plugin, reason));
    }
  }

  private Counter notSent(String plugin, NotSentReason reason) {
    return Counter.builder("berth.calls.not.sent")
        .description("Calls that never left the worker")
        .tag("plugin", plugin)
        .tag("reason", word(reason))
        .register(registry);
  }

  private void count(String plugin, CsiCall rpc, CallResult result, long nanos) {
    if (result instanceof CallResult.NotSent notSent) {
      notSent(plugin, notSent.reason()).increment();
    } else if (result instanceof CallResult.Answered answered) {
      record(plugin, rpc, answered.code(), true, nanos);
    } else if (result instanceof CallResult.Unanswered unanswered) {
      record(plugin, rpc, unanswered.code(), false, nanos);
    } else {
      record(plugin, rpc, RpcCode.UNAVAILABLE, false, nanos);
    }
  }

  private void record(String plugin, CsiCall rpc, RpcCode code, boolean answered, long nanos) {
    Timer.builder("berth.rpc")
        .description("Time of the calls that left the worker")
        .tag("plugin", plugin)
        .tag("rpc", csi(rpc))
        .tag("code", code.name())
        .tag("answered", Boolean.toString(answered))
        .serviceLevelObjectives(BUCKETS)
        .register(registry)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  private static String word(Enum<?> symbol) {
    return symbol.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A call by its name in CSI. */
  private static String csi(CsiCall call) {
    return switch (call) {
      case CONTROLLER_PUBLISH -> "ControllerPublishVolume";
      case CONTROLLER_UNPUBLISH -> "ControllerUnpublishVolume";
      case NODE_STAGE -> "NodeStageVolume";
      case NODE_PUBLISH -> "NodePublishVolume";
      case NODE_UNPUBLISH -> "NodeUnpublishVolume";
      case NODE_UNSTAGE -> "NodeUnstageVolume";
    };
  }
}
