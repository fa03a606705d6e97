package dev.berth.driver.calls;

import io.grpc.Status;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A call with all that is known of it.
 *
 * @param number position of its start in the log
 * @param facts what was asked
 * @param startedAt when the driver received it
 * @param effect when what it asked for was done; empty if it never was
 * @param end the caller's end of it; empty while it is open
 */
public record Call(
    long number, CallFacts facts, Instant startedAt, Optional<Effect> effect, Optional<End> end) {

  /** The moment of the effect; its sequence may be greater than that of the end. */
  public record Effect(long sequence, Instant at) {}

  /**
   * The answer, or the loss of the caller.
   *
   * @param cut whether the driver's process died before it could answer; moment and position are
   *     then those at which the next process took over the log
   */
  public record End(long sequence, Instant at, Status.Code code, String message, boolean cut) {}

  /** Whether the caller still waits. */
  public boolean isOpen() {
    return end.isEmpty();
  }

  /** Whether the driver's process died while the caller waited. */
  public boolean isCut() {
    return end.filter(End::cut).isPresent();
  }

  /** Whether the caller was told that all is well. */
  public boolean isOk() {
    return end.filter(e -> e.code() == Status.Code.OK).isPresent();
  }

  /** Whether the caller still waited when position {@code sequence} was written. */
  public boolean isOpenAt(long sequence) {
    return number <= sequence && end.map(e -> sequence < e.sequence()).orElse(true);
  }

  /** For reports: number, notation, answer. */
  public String describe() {
    return "#%d %s -> %s%s"
        .formatted(
            number,
            facts.notation(),
            end.map(e -> e.code().name()).orElse("open"),
            effect.isPresent() && !isOk() ? " (done all the same)" : "");
  }

  /** The calls of a log, in order of their start. */
  public static List<Call> fold(Collection<? extends CallEvent> events) {
    Map<Long, Call> calls = new LinkedHashMap<>();
    events.forEach(event -> apply(calls, event));
    return List.copyOf(calls.values());
  }

  private static void apply(Map<Long, Call> calls, CallEvent event) {
    if (event instanceof CallEvent.Started started) {
      calls.put(
          started.sequence(),
          new Call(
              started.sequence(),
              started.facts(),
              started.at(),
              Optional.empty(),
              Optional.empty()));
    } else if (event instanceof CallEvent.Affected affected) {
      calls.computeIfPresent(
          affected.call(),
          (number, call) -> call.affected(new Effect(affected.sequence(), affected.at())));
    } else if (event instanceof CallEvent.Ended ended) {
      calls.computeIfPresent(
          ended.call(),
          (number, call) ->
              call.ended(
                  new End(ended.sequence(), ended.at(), ended.code(), ended.message(), false)));
    } else if (event instanceof CallEvent.Restarted restarted) {
      End lost =
          new End(
              restarted.sequence(),
              restarted.at(),
              Status.Code.UNAVAILABLE,
              "the driver's process ended",
              true);
      calls.replaceAll((number, call) -> call.isOpen() ? call.ended(lost) : call);
    }
  }

  private Call affected(Effect seen) {
    return new Call(number, facts, startedAt, Optional.of(seen), end);
  }

  private Call ended(End seen) {
    return new Call(number, facts, startedAt, effect, Optional.of(seen));
  }
}
