package dev.berth.ops.command;

import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code berth policy set}. */
@Command(
    name = "set",
    description = {
      "Sets keys of a policy, and leaves its other keys as they are.",
      "A value that Berth would reject is named here with the range that it has, and",
      "nothing is written. What can lose data (node-loss=detach, for one) is asked about:",
      "confirm with --yes and say why with --reason. Who and why stands in the record.",
      "Berth takes it as soon as it has read it; nothing answers. It replaces what the",
      "configuration of the instances says under its name, as a whole."
    },
    footer = {
      "",
      "Examples:",
      "  berth policy set plugin/ebs rpc-timeout=5m max-attempts=4 --reason \"slow region\"",
      "  berth policy set volume/prod/db node-loss=detach --yes \\",
      "      --reason \"its nodes fence themselves\""
    })
final class PolicySetCommand extends PolicyChangeCommand {

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "KEY=VALUE",
      description = "Keys as 'berth policy get' lists them.")
  private List<String> settings = new ArrayList<>();

  PolicySetCommand(Terminal terminal, Clock clock, Question question) {
    super(terminal, clock, question);
  }

  @Override
  Map<String, String> given() {
    Map<String, String> given = new LinkedHashMap<>();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw usage("'%s' sets nothing: write KEY=VALUE, as in run=1".formatted(setting));
      }
      String key = setting.substring(0, equals);
      if (given.put(key, setting.substring(equals + 1).strip()) != null) {
        throw usage("%s is given twice: give it once".formatted(key));
      }
    }
    return given;
  }

  @Override
  Map<String, String> changed(Map<String, String> present) {
    Map<String, String> changed = new LinkedHashMap<>(present);
    changed.putAll(given());
    return changed;
  }

  @Override
  boolean withdrawsEmpty() {
    return false;
  }
}
