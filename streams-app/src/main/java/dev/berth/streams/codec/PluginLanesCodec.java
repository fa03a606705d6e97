package dev.berth.streams.codec;

import dev.berth.streams.lanes.PluginLanes;
import dev.berth.streams.policy.Policy.LaneScope;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Codec of what the lanes of a plugin share. */
public final class PluginLanesCodec {
  /** A row of {@code LaneTables.PLUGIN_LANES}. */
  public static final Codec<PluginLanes, dev.berth.records.PluginLanes> PLUGIN_LANES =
      new Codec<>(
          PluginLanes.class,
          dev.berth.records.PluginLanes.class,
          PluginLanesCodec::encode,
          PluginLanesCodec::decode);

  private PluginLanesCodec() {}

  private static dev.berth.records.PluginLanes encode(PluginLanes lanes) {
    PluginLanes.Pause pause = lanes.pause();
    return dev.berth.records.PluginLanes.newBuilder()
        .setPlugin(lanes.plugin())
        .setSince(lanes.since())
        .setScope(lanes.scope().name())
        .setDraining(lanes.draining())
        .setPausedBy(pause == null ? null : pause.by())
        .setPauseReason(pause == null ? null : pause.reason())
        .setPausedAt(pause == null ? null : pause.at())
        .setStickyNode(lanes.stickyNode())
        .setCalls(lanes.calls())
        .setJoins(lanes.joins())
        .setAttempts(lanes.attempts())
        .setQueued(lanes.queued())
        .setHeld(lanes.held())
        .setInFlight(lanes.inFlight())
        .setAttachMeanMillis(lanes.attachMean().toMillis())
        .setDetachMeanMillis(lanes.detachMean().toMillis())
        .build();
  }

  private static PluginLanes decode(dev.berth.records.PluginLanes row) {
    Optional<Instant> pausedAt = row.getPausedAt();
    PluginLanes.Pause pause =
        pausedAt.isEmpty()
            ? null
            : new PluginLanes.Pause(
                row.getPausedBy().orElse(""), row.getPauseReason().orElse(""), pausedAt.get());
    return new PluginLanes(
        row.getPlugin(),
        row.getSince(),
        LaneScope.valueOf(row.getScope()),
        row.getDraining(),
        pause,
        row.getStickyNode().orElse(null),
        row.getCalls(),
        row.getJoins(),
        row.getAttempts(),
        row.getQueued(),
        row.getHeld(),
        row.getInFlight(),
        Duration.ofMillis(row.getAttachMeanMillis()),
        Duration.ofMillis(row.getDetachMeanMillis()));
  }
}
