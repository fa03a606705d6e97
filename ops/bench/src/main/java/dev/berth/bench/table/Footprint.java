package dev.berth.bench.table;

import dev.berth.schemas.topics.Topic;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What Berth's topology does in one life of a volume.
 *
 * @param sample the volume that lived
 * @param registered rows that its registration left
 * @param claimed rows that there were while its alloc had it
 * @param steps by name ({@link StepName}): what was done with each record of its life
 * @param names its names in all of that
 */
record Footprint(
    TableVolume sample,
    List<Row> registered,
    List<Row> claimed,
    Map<String, Tape.Step> steps,
    List<SampleName> names) {

  /** Keeps copies. */
  Footprint {
    registered = List.copyOf(registered);
    claimed = List.copyOf(claimed);
    steps = Collections.unmodifiableMap(new LinkedHashMap<>(steps));
    names = List.copyOf(names);
  }

  /**
   * A row.
   *
   * @param store the store that it is in
   * @param key its key there
   * @param value its bytes
   */
  // Written as it is: nobody compares it.
  @SuppressWarnings("ArrayRecordComponent")
  record Row(String store, String key, byte[] value) {}

  /** Records that a life brings to a topic (count). */
  long sent(Topic topic) {
    return steps.values().stream()
        .flatMap(step -> step.touches().stream())
        .filter(touch -> String.valueOf(touch.sink()).endsWith("-to-" + topic.suffix()))
        .count();
  }
}
