package dev.berth.driver.calls;

import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * The record of all calls to one or more drivers, in one order.
 *
 * <p>The end of a call is written before its answer is sent, so that a caller who waits for an
 * answer before the next call never seems to have two calls open.
 *
 * <p>Thread-safe. Without a file everything is kept in memory. With a file it is kept there only:
 * each event is handed to the operating system as one JSON line before the driver goes on, so that
 * a killed process leaves a complete log.
 */
public final class CallLog implements AutoCloseable {

  /** The number of calls that are not noted. */
  private static final long NOT_NOTED = 0;

  private final InstantSource clock;
  private final Store store;
  private final boolean enquiries;
  private long last;

  private CallLog(InstantSource clock, Store store, boolean enquiries, long last) {
    this.clock = clock;
    this.store = store;
    this.enquiries = enquiries;
    this.last = last;
  }

  /** Where the events are kept. */
  interface Store extends AutoCloseable {

    void write(CallEvent event);

    /** All of them, in order. */
    List<CallEvent> events() throws IOException;

    @Override
    void close() throws IOException;
  }

  /** A log that is gone with the process. */
  public static CallLog inMemory(InstantSource clock) {
    return new CallLog(clock, new Memory(), true, 0);
  }

  /**
   * A log that goes on where the file ends. An incomplete last line is cut off.
   *
   * @throws IOException if the file cannot be read or written, or holds something else
   */
  public static CallLog toFile(Path path, InstantSource clock) throws IOException {
    return toFile(path, clock, true);
  }

  /**
   * The same without {@linkplain Rpc#isEnquiry() enquiries}: the file grows only when something is
   * done. A call that is not noted has the number 0.
   *
   * @throws IOException if the file cannot be read or written, or holds something else
   */
  public static CallLog toFileWithoutEnquiries(Path path, InstantSource clock) throws IOException {
    return toFile(path, clock, false);
  }

  private static CallLog toFile(Path path, InstantSource clock, boolean enquiries)
      throws IOException {
    List<CallEvent> before = CallLogFile.read(path);
    CallLog log = new CallLog(clock, CallLogFile.append(path), enquiries, before.size());
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
    if (!enquiries && facts.rpc().isEnquiry()) {
      return NOT_NOTED;
    }
    return add(sequence -> new CallEvent.Started(sequence, clock.instant(), facts));
  }

  /** Notes that what the call asked for is done. */
  public void affected(long call) {
    if (call != NOT_NOTED) {
      add(sequence -> new CallEvent.Affected(sequence, clock.instant(), call));
    }
  }

  /** Notes what the caller is about to be told, or that it is gone. */
  public void ended(long call, Status.Code code, String message) {
    if (call != NOT_NOTED) {
      add(sequence -> new CallEvent.Ended(sequence, clock.instant(), call, code, message));
    }
  }

  /**
   * A copy of everything noted so far.
   *
   * @throws UncheckedIOException if the log's file cannot be read
   */
  public synchronized List<CallEvent> events() {
    try {
      return store.events();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the call log", e);
    }
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
    long sequence = last + 1;
    store.write(event.apply(sequence));
    last = sequence;
    return sequence;
  }

  @Override
  public synchronized void close() {
    try {
      store.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the call log", e);
    }
  }

  private static final class Memory implements Store {
    private final List<CallEvent> events = new ArrayList<>();

    @Override
    public void write(CallEvent event) {
      events.add(event);
    }

    @Override
    public List<CallEvent> events() {
      return List.copyOf(events);
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
