package dev.berth.driver.audit;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.calls.Rpc;
import io.grpc.Status;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Writes call logs by hand, for one plugin. */
final class Story {

  private final CallLog log = CallLog.inMemory(InstantSource.fixed(Instant.EPOCH));
  private final String plugin;

  Story(String plugin) {
    this.plugin = plugin;
  }

  /** A call from start to OK, with nothing in between. {@code path} may be left out. */
  Story ok(String symbol, String volume, String node, String... path) {
    return end(startAndDo(symbol, volume, node, path), Status.Code.OK);
  }

  /** A call from start to an error that did nothing. */
  Story failed(Status.Code code, String symbol, String volume, String node, String... path) {
    return end(start(symbol, volume, node, path), code);
  }

  /** A call from start to an error that did its work all the same. */
  Story failedButDone(Status.Code code, String symbol, String volume, String node, String... path) {
    return end(startAndDo(symbol, volume, node, path), code);
  }

  long start(String symbol, String volume, String node, String... path) {
    return log.started(
        new CallFacts(
            plugin,
            "c-1",
            Rpc.parse(symbol),
            volume,
            node,
            path.length == 0 ? "" : path[0],
            false));
  }

  Story affect(long call) {
    log.affected(call);
    return this;
  }

  Story end(long call, Status.Code code) {
    log.ended(call, code, "");
    return this;
  }

  private long startAndDo(String symbol, String volume, String node, String... path) {
    long call = start(symbol, volume, node, path);
    affect(call);
    return call;
  }

  List<Call> calls() {
    return log.calls();
  }
}
