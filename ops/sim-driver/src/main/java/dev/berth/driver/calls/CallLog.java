package dev.berth.driver.calls;

import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * The record of all calls to one or more drivers, in one order.
 *
 * <p>The end of a call is written before its answer is sent, so that a caller who waits for an
 * answer before the next call never seems to have two calls open.
 *
 * <p>Thread-safe. Keeps everything in memory; with a file, each event is also handed to the
 * operating system as one JSON line before the driver goes on, so that a killed process leaves a
 * complete log.
 */
public final class CallLog implements AutoCloseable {

  private final InstantSource clock;
  private final Optional<CallLogFile> file;
  private final List<CallEvent> events;

  private CallLog(InstantSource clock, Optional<CallLogFile> file, List<CallEvent> events) {
    this.clock = clock;
    this.file = file;
    this.events = events;
  }

  /** A log that is gone with the process. */
  public static CallLog inMemory(InstantSource clock) {
    return new CallLog(clock, Optional.empty(), new ArrayList<>());
  }

  /**
   * A log that goes on where the file ends. An incomplete last line is cut off.
   *
   * @throws IOException if the file cannot be read or written, or holds something else
   */
  public static CallLog toFile(Path path, InstantSource clock) throws IOException {
    List<CallEvent> before = CallLogFile.read(path);
    CallLog log =
        new CallLog(clock, Optional.of(CallLogFile.append(path)), new ArrayList<>(before));
    if (!before.isEmpty()) {
      log.add(sequence -> new CallEvent.Restarted(sequence, clock.instant()));
    }
    return log;
  }

  /**
   * The calls of a log file, also while it is written to.
   *
   * @throws IOException if the file cannot be read or holds something else
   */
  public static List<Call> read(Path path) throws IOException {
    return Call.fold(CallLogFile.read(path));
  }

  /** Notes a new call and gives its number. */
  public long started(CallFacts facts) {
    return add(sequence -> new CallEvent.Started(sequence, clock.instant(), facts));
  }

  /** Notes that what the call asked for is done. */
  public void affected(long call) {
    add(sequence -> new CallEvent.Affected(sequence, clock.instant(), call));
  }

  /** Notes what the caller is about to be told, or that it is gone. */
  public void ended(long call, Status.Code code, String message) {
    add(sequence -> new CallEvent.Ended(sequence, clock.instant(), call, code, message));
  }

  /** A copy of everything noted so far. */
  public synchronized List<CallEvent> events() {
    return List.copyOf(events);
  }

  /** The calls so far, in order of their start. */
  public List<Call> calls() {
    return Call.fold(events());
  }

  /** The calls so far to one kind of RPC, in order of their start. */
  public List<Call> calls(Rpc rpc) {
    return calls().stream().filter(call -> call.facts().rpc() == rpc).toList();
  }

  private synchronized long add(LongFunction<CallEvent> event) {
    long sequence = events.size() + 1L;
    CallEvent made = event.apply(sequence);
    file.ifPresent(f -> f.write(made));
    events.add(made);
    return sequence;
  }

  @Override
  public synchronized void close() {
    file.ifPresent(
        f -> {
          try {
            f.close();
          } catch (IOException e) {
            throw new UncheckedIOException("cannot close the call log", e);
          }
        });
  }
}
