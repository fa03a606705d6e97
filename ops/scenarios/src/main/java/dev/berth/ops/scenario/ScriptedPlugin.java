package dev.berth.ops.scenario;

import dev.berth.records.RpcCode;
import dev.berth.workers.call.CallResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What RPCs are answered without being asked about one by one. The latest script that matches wins.
 */
final class ScriptedPlugin {
  private final List<Script> scripts = new ArrayList<>();

  /**
   * An answer and how long it takes.
   *
   * @param result the answer
   * @param delay time until it
   */
  record Answer(CallResult result, Duration delay) {}

  /**
   * What comes of a call.
   *
   * @param code the gRPC code
   * @param message the text that goes with it
   * @param delay time until it
   */
  record Outcome(RpcCode code, String message, Duration delay) {}

  void add(Value.Fields fields) {
    List<RpcCode> codes = new ArrayList<>();
    fields
        .find("with")
        .map(Value::asItems)
        .orElse(List.of())
        .forEach(item -> codes.add(code(item)));
    Duration delay = fields.find("delay").map(Durations::parse).orElse(Duration.ZERO);
    scripts.add(0, new Script(fields.text("rpc"), codes, delay));
  }

  Answer answer(Rpc rpc) {
    Outcome outcome = outcome(rpc.text());
    return new Answer(
        new CallResult.Answered(outcome.code(), outcome.message(), Map.of()), outcome.delay());
  }

  /** What comes of the next call that is written so, with its instance. */
  Outcome outcome(String notation) {
    Optional<Script> script =
        scripts.stream().filter(each -> Rpc.begins(notation, each.prefix)).findFirst();
    return script.map(Script::next).orElse(new Outcome(RpcCode.OK, "", Duration.ZERO));
  }

  static RpcCode code(Value value) {
    return RpcCode.valueOf(value.asText().toUpperCase(Locale.ROOT));
  }

  private static final class Script {
    private final String prefix;
    private final List<RpcCode> codes;
    private final Duration delay;
    private int used;

    Script(String prefix, List<RpcCode> codes, Duration delay) {
      this.prefix = prefix;
      this.codes = codes;
      this.delay = delay;
    }

    Outcome next() {
      RpcCode code = codes.isEmpty() ? RpcCode.OK : codes.get(Math.min(used, codes.size() - 1));
      used++;
      return new Outcome(code, code == RpcCode.OK ? "" : "scripted " + code, delay);
    }
  }
}
