package dev.berth.workers.accept;

import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The process that has taken the work over, as far as its signs tell: what it writes beside the
 * offsets is another text each time. Confined to the thread of the accept loop.
 */
final class Successor {

  /** What a process writes beside the offsets when it ends. */
  static final String LEFT = "left";

  private final Clocks clocks;
  private @Nullable Map<TopicPartition, OffsetAndMetadata> signs;
  private Moment heard;

  Successor(Clocks clocks) {
    this.clocks = clocks;
    this.heard = clocks.read();
  }

  /** Begins to listen anew. */
  void forget() {
    signs = null;
  }

  /**
   * Returns whether it is gone: it says so, or it has given no sign for so long.
   *
   * @param now the offsets as they are committed now
   */
  boolean isGone(Map<TopicPartition, OffsetAndMetadata> now, Duration patience) {
    if (!now.equals(signs)) {
      signs = Map.copyOf(now);
      heard = clocks.read();
    }
    boolean left =
        !now.isEmpty() && now.values().stream().allMatch(each -> each.metadata().equals(LEFT));
    return left || clocks.read().since(heard).compareTo(patience) > 0;
  }
}
