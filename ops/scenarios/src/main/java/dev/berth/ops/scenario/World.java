package dev.berth.ops.scenario;

import dev.berth.records.LaneStatus;
import dev.berth.records.PluginInstance;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.kernel.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The world that the steps of a scenario are carried out in. After each input it runs until nothing
 * more can happen without new input, an answer, or time.
 */
interface World extends AutoCloseable {

  /** When the scenario began. */
  Instant begin();

  Instant now();

  /** What has happened so far. */
  Trace trace();

  // ---- topics

  /** Writes a record as schedulers, workers and operators do. */
  void write(Topic topic, String key, @Nullable SpecificRecord value);

  /** Writes bytes as they are. */
  void writeBytes(Topic topic, String key, byte @Nullable [] bytes);

  /** What the processors wrote to a topic, in order. */
  List<Seen> seen(Topic topic);

  /** All that happened so far, in order. */
  List<Happened> story();

  /** Every record written so far, by whomever, in the order of writing. */
  default Stream<Seen> everything() {
    return Happened.records(story());
  }

  /** What was logged since this world began. */
  Stream<String> logged();

  /** What the metrics of the application are named, described and tagged with, and their values. */
  Stream<String> metrics();

  /** The present status of a plugin's lanes; null when none was written. */
  default @Nullable LaneStatus laneStatus(String plugin) {
    LaneStatus last = null;
    for (Seen record : seen(Topic.LANE_STATUS)) {
      if (record.key().equals(plugin) && record.value() instanceof LaneStatus status) {
        last = status;
      }
    }
    return last;
  }

  // ---- plugins

  /** Every RPC made so far, in order. */
  List<Rpc> made();

  /** RPCs in flight. */
  List<Rpc> open();

  /** Takes a step {@code script}. */
  void script(Value.Fields script);

  /** Answers an open RPC. */
  void answer(Rpc rpc, PluginAnswer answer);

  /** A plugin instance is found to be so. */
  void instance(String key, PluginInstance instance);

  /** What a volume names a secret of the scenario by. */
  String secretReference(String name);

  /** What a secret resolves to from now on; null when it is gone. */
  void secret(String name, @Nullable String value);

  // ---- running

  /** Whether steps that only set the scene are waited for together. */
  default boolean setsUpAtOnce() {
    return false;
  }

  /** Runs until nothing more can happen now. */
  void settle();

  /** Moves the clock, firing what falls due in order. */
  void advance(Duration by);

  /**
   * Waits a little for an expectation that is not met. Returns whether there is any point in
   * looking again: in virtual time what has not happened will not happen.
   */
  default boolean waitsForMore() {
    return false;
  }

  /** The Streams application crashes and starts again on what its changelogs hold. */
  void restartStreams();

  /** A plugin's partition moves to another worker. */
  void rebalance(String plugin);

  /** The workers crash: what is open is never reported. */
  void crashWorkers();

  // ---- the table

  /** The claims' rows of a table by key, in key order. */
  <V> Map<String, V> rows(Table<V> table);

  /** One row of the claims; null when there is none. */
  <V> @Nullable V row(Table<V> table, String key);

  /** Puts a row behind the back of the deciders. */
  <V> void edit(Table<V> table, String key, V value);

  /** The time Berth predicts until the present step of an alloc's claims is done. */
  Optional<Duration> eta(String alloc);

  @Override
  void close();
}
