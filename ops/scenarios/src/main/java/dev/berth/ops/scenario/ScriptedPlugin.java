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
    Optional<Script> script =
        scripts.stream().filter(each -> rpc.beginsWith(each.prefix)).findFirst();
    return script
        .map(Script::next)
        .orElse(new Answer(result(RpcCode.OK, "", Map.of()), Duration.ZERO));
  }

  static RpcCode code(Value value) {
    return RpcCode.valueOf(value.asText().toUpperCase(Locale.ROOT));
  }

  static CallResult result(RpcCode code, String message, Map<String, String> context) {
    return new CallResult.Answered(code, message, context);
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

    Answer next() {
      RpcCode code = codes.isEmpty() ? RpcCode.OK : codes.get(Math.min(used, codes.size() - 1));
      used++;
      return new Answer(
          result(code, code == RpcCode.OK ? "" : "scripted " + code, Map.of()), delay);
    }
  }
}
