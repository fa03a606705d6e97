package dev.berth.workers;

import dev.berth.telemetry.Condition;
import dev.berth.workers.config.EndpointConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * How a worker says that it is. It is alive while every route's thread goes on: a cluster that is
 * away, one partition that waits, or a plugin that is down, is no reason to start it again. It is
 * ready while what is dispatched to it is accepted, on every route, and at least one of its plugins
 * is well.
 *
 * @param goesOn whether every route's thread came round lately, if only to try again
 * @param polls whether every route was polled lately
 * @param accepts whether what is dispatched is accepted, on every route
 * @param endpoints the endpoints that were well when last looked at, or those that were not
 * @param waiting what it waits for, a line each
 */
record WorkerCondition(
    BooleanSupplier goesOn,
    BooleanSupplier polls,
    BooleanSupplier accepts,
    Function<Boolean, List<EndpointConfig>> endpoints,
    Supplier<List<String>> waiting) {

  private static final String NO_POLL = "not all routes were polled within 30 s";

  Condition health() {
    boolean alive = goesOn.getAsBoolean();
    List<String> lines = new ArrayList<>();
    lines.add(alive ? "ok" : "the thread of a route has stood still for 2 min");
    if (!polls.getAsBoolean()) {
      lines.add(NO_POLL);
    }
    return new Condition(alive, lines).with(waiting.get());
  }

  Condition readiness() {
    List<String> lines = new ArrayList<>();
    if (!accepts.getAsBoolean()) {
      lines.add("not all routes are joined and begun");
    }
    if (!polls.getAsBoolean()) {
      lines.add(NO_POLL);
    }
    if (endpoints.apply(true).isEmpty()) {
      lines.add("no plugin is well");
    }
    boolean ready = lines.isEmpty();
    if (ready) {
      lines.add("ok");
    }
    endpoints
        .apply(false)
        .forEach(
            endpoint ->
                lines.add(
                    "plugin not well: %s at %s".formatted(endpoint.name(), endpoint.address())));
    return new Condition(ready, lines).with(waiting.get());
  }
}
