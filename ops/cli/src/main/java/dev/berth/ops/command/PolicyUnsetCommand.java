package dev.berth.ops.command;

import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.streams.policy.PolicySettings;
import dev.berth.streams.policy.Setting;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth policy unset}. */
@Command(
    name = "unset",
    description = {
      "Takes keys out of a policy, so that what is wider holds again.",
      "With --all the whole policy is withdrawn, as it is with its last key: what the",
      "configuration of the instances says under its name holds again, and no record of",
      "who and why is left. What can lose data is asked about, as 'berth policy set' does."
    },
    footer = {
      "",
      "Examples:",
      "  berth policy unset plugin/ebs rpc-timeout --reason \"region is well again\"",
      "  berth policy unset volume/prod/db --all"
    })
final class PolicyUnsetCommand extends PolicyChangeCommand {

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "KEY",
      description = "Keys that it is not to set.")
  private List<String> keys = new ArrayList<>();

  @Option(names = "--all", description = "All keys: withdraws the policy.")
  private boolean all;

  PolicyUnsetCommand(Terminal terminal, Clock clock, Question question) {
    super(terminal, clock, question);
  }

  @Override
  Map<String, String> given() {
    if (all == !keys.isEmpty()) {
      throw usage("name keys, or give --all: one of both");
    }
    return Map.of();
  }

  /** A key that is none of Berth's can be taken out too: that is how a rejected one is mended. */
  @Override
  Map<String, String> changed(Map<String, String> present) {
    Map<String, String> changed = new LinkedHashMap<>(present);
    changed.keySet().removeAll(all ? List.copyOf(present.keySet()) : keys);
    for (String key : keys) {
      if (!present.containsKey(key) && PolicySettings.find(key).isEmpty()) {
        throw usage("'%s' is no key; there are %s".formatted(key, known()));
      }
    }
    return changed;
  }

  @Override
  boolean withdrawsEmpty() {
    return true;
  }

  private static String known() {
    return PolicySettings.all().stream().map(Setting::key).collect(Collectors.joining(", "));
  }
}
