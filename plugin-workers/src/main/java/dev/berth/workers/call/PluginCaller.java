package dev.berth.workers.call;

import dev.berth.records.Call;
import dev.berth.workers.accept.Accepted;

/** Makes one call. */
@FunctionalInterface
public interface PluginCaller {

  /**
   * Makes a call of an accepted attempt and returns what became of it, at the latest when the
   * attempt's time is over. Whatever happens is a result; an exception is a bug.
   */
  CallResult call(Accepted accepted, Call call);
}
