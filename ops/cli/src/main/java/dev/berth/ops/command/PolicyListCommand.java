package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.policy.PublishedPolicies;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.terminal.TextTable;
import dev.berth.ops.view.Lines;
import dev.berth.ops.view.Moments;
import dev.berth.producers.Connection;
import dev.berth.streams.policy.NamedPolicy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth policy list}. */
@Command(
    name = "list",
    description = {
      "Lists the policies that are published, setting by setting.",
      "A narrower one wins over a wider one, key by key; 'berth policy get' shows what",
      "holds then. One that Berth has rejected is shown with what is wrong, and exits 1."
    },
    footer = {"", "Examples:", "  berth policy list", "  berth policy list -o json"})
final class PolicyListCommand implements Callable<Integer> {

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOption output = new OutputOption();

  private final Terminal terminal;
  private final Clock clock;

  PolicyListCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() {
    Connection to = connection.connection();
    PublishedPolicies policies = PolicyTopics.read(to);
    output.print(terminal, () -> json(policies), () -> lines(policies));
    return policies.all().stream().allMatch(each -> policies.problems(each.name()).isEmpty())
        ? ExitCode.OK
        : ExitCode.FAILED;
  }

  private List<String> lines(PublishedPolicies policies) {
    if (policies.all().isEmpty()) {
      return List.of("No policies.");
    }
    TextTable table = new TextTable("POLICY", "KEY", "VALUE", "SET", "BY", "REASON");
    for (NamedPolicy policy : policies.all()) {
      String age = Moments.length(Duration.between(policy.at(), clock.instant())) + " ago";
      if (policy.settings().isEmpty()) {
        table.row(policy.name(), "", "", age, policy.by(), policy.reason());
      }
      for (Map.Entry<String, String> setting : policy.settings().entrySet()) {
        table.row(
            policy.name(), setting.getKey(), setting.getValue(), age, policy.by(), policy.reason());
      }
    }
    List<String> lines = new ArrayList<>(output.wide() ? table.lines() : table.folded(Lines.WIDTH));
    for (NamedPolicy policy : policies.all()) {
      policies.problems(policy.name()).stream()
          .flatMap(problem -> Lines.paragraph("Not in force: " + problem).stream())
          .map(terminal::bad)
          .forEach(lines::add);
    }
    return lines;
  }

  private static ArrayNode json(PublishedPolicies policies) {
    ArrayNode list = JsonOutput.mapper().createArrayNode();
    policies.all().forEach(policy -> list.add(json(policies, policy)));
    return list;
  }

  /** A policy as it was published. */
  static ObjectNode json(PublishedPolicies policies, NamedPolicy policy) {
    ObjectNode entry = JsonOutput.mapper().createObjectNode();
    entry.put("name", policy.name());
    ObjectNode settings = entry.putObject("settings");
    policy.settings().forEach(settings::put);
    entry.put("by", policy.by());
    entry.put("reason", policy.reason());
    entry.put("at", policy.at().toString());
    policies.problems(policy.name()).forEach(entry.putArray("problems")::add);
    return entry;
  }
}
