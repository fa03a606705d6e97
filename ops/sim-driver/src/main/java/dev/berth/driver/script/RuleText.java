package dev.berth.driver.script;

import dev.berth.driver.calls.Rpc;
import io.grpc.Status;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rules as text, for files: words of the form {@code name=value}, with {@code message=} last
 * because it takes the rest of the line.
 *
 * <pre>
 * rpc=CP volume=vol-1 calls=2-3 do=fail code=UNAVAILABLE message=try again
 * rpc=CU node=i-1 do=lose-reply
 * rpc=CP,CU latency=uniform:1s:3s finish-after-cancel=true
 * </pre>
 */
public final class RuleText {

  private static final String MESSAGE = "message=";

  private RuleText() {}

  /**
   * Reads a rule.
   *
   * @throws IllegalArgumentException if a word is unknown or its value impossible, naming it
   */
  public static Rule parse(String text) {
    Map<String, String> words = words(text);
    Rule rule = Rule.on(rpcs(words.remove("rpc")));
    String doing = words.getOrDefault("do", "answer");
    String code = words.getOrDefault("code", "");
    String message = words.getOrDefault("message", "as the script says");
    rule =
        switch (doing) {
          case "answer" -> rule;
          case "fail" -> rule.fail(code(code), message);
          case "hang" -> rule.hang();
          case "lose-reply" -> rule.loseReply();
          case "fail-after-effect" -> rule.failAfterEffect(code(code), message);
          case "not-ready" -> rule.notReady();
          default ->
              throw new IllegalArgumentException(
                  "do=%s: use answer, fail, hang, lose-reply, fail-after-effect or not-ready"
                      .formatted(doing));
        };
    for (Map.Entry<String, String> word : words.entrySet()) {
      rule = refine(rule, word.getKey(), word.getValue());
    }
    return rule;
  }

  private static Rule refine(Rule rule, String name, String value) {
    return switch (name) {
      case "do", "code", "message" -> rule;
      case "volume" -> rule.volume(value);
      case "node" -> rule.node(value);
      case "calls" -> calls(rule, value);
      case "latency" -> rule.takes(Latency.parse(value));
      case "finish-after-cancel" ->
          Boolean.parseBoolean(value) ? rule.finishingAfterCancel() : rule;
      default ->
          throw new IllegalArgumentException(
              "'%s' is no word of a rule; use rpc, volume, node, calls, do, code, latency,"
                      .formatted(name)
                  + " finish-after-cancel or message");
    };
  }

  private static Map<String, String> words(String text) {
    Map<String, String> words = new LinkedHashMap<>();
    int message = text.indexOf(MESSAGE);
    String before = message < 0 ? text : text.substring(0, message);
    if (message >= 0) {
      words.put("message", text.substring(message + MESSAGE.length()));
    }
    for (String word : before.trim().split("\\s+", -1)) {
      int equals = word.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "'%s' in the rule '%s': write name=value".formatted(word, text));
      }
      words.put(word.substring(0, equals), word.substring(equals + 1));
    }
    return words;
  }

  private static Rpc[] rpcs(@Nullable String value) {
    return value == null
        ? new Rpc[0]
        : Arrays.stream(value.split(",", -1)).map(Rpc::parse).toArray(Rpc[]::new);
  }

  private static Status.Code code(String value) {
    try {
      return Status.Code.valueOf(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "code=%s is not a gRPC code; write one as in code=UNAVAILABLE".formatted(value), e);
    }
  }

  private static Rule calls(Rule rule, String value) {
    String[] ends = value.split("-", -1);
    try {
      long first = Long.parseLong(ends[0]);
      if (ends.length == 1) {
        return rule.call(first);
      }
      return rule.calls(first, ends[1].isEmpty() ? Long.MAX_VALUE : Long.parseLong(ends[1]));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("calls=%s: write 2, 2-5 or 2-".formatted(value), e);
    }
  }
}
