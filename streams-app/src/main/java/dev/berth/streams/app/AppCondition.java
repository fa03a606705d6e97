package dev.berth.streams.app;

import dev.berth.streams.intake.HeldPartition;
import dev.berth.telemetry.Condition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.streams.ThreadMetadata;

/**
 * How the application says that it is. It is alive unless it has ended or one of its threads hangs:
 * while it waits for what is away, or takes over partitions, to start it again would only begin
 * that anew. It is ready while it decides: Kafka Streams runs only when the stores of all its
 * partitions are restored, and each of its threads does. One that was given no partition is not
 * ready, though it runs: it decides nothing, and where no instance is given any, all of them would
 * say that all is well. A topic-partition that waits for the registry makes it neither: the others
 * go on.
 */
record AppCondition(
    Supplier<AppState> state,
    Supplier<? extends Collection<ThreadMetadata>> threads,
    Supplier<List<HeldPartition>> waiting,
    Supplier<List<String>> hung) {

  /** A thread that works says so, in the words of Kafka Streams. */
  private static final String RUNNING = "RUNNING";

  private static final String IDLE =
      "no partition is given to this instance: the others have them all, or its group waits for a"
          + " member that is gone (berth doctor tells)";

  /** Whether it is alive. */
  Condition health() {
    AppState now = state.get();
    List<String> hanging = hung.get();
    return new Condition(!now.ended() && hanging.isEmpty(), List.of(now.text()))
        .with(hanging)
        .with(waitingLines());
  }

  /** Whether it decides, for every partition that is its own. */
  Condition readiness() {
    AppState now = state.get();
    List<String> lines = new ArrayList<>(List.of(now.text()));
    boolean ready = now.running();
    boolean idle = false;
    if (now.running()) {
      Collection<ThreadMetadata> all = threads.get();
      idle = !all.isEmpty();
      for (ThreadMetadata thread : all) {
        idle = idle && thread.activeTasks().isEmpty() && thread.standbyTasks().isEmpty();
        if (!RUNNING.equals(thread.threadState())) {
          ready = false;
          lines.add("thread %s is %s".formatted(thread.threadName(), thread.threadState()));
        }
      }
    }
    if (ready && idle) {
      ready = false;
      lines.add(IDLE);
    }
    List<String> hanging = hung.get();
    return new Condition(ready && hanging.isEmpty(), lines).with(hanging).with(waitingLines());
  }

  private List<String> waitingLines() {
    return waiting.get().stream().map(HeldPartition::text).toList();
  }
}
