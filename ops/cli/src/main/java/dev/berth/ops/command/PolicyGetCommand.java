package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.policy.PublishedPolicies;
import dev.berth.ops.policy.PublishedPolicies.InForce;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.terminal.TextTable;
import dev.berth.ops.view.Lines;
import dev.berth.producers.Connection;
import dev.berth.streams.policy.NamedPolicy;
import dev.berth.streams.policy.PolicyScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code berth policy get}. */
@Command(
    name = "get",
    description = {
      "Shows what holds for everything, a plugin or a volume.",
      "Each key with its value and the policy that it is from; 'built in' where none sets",
      "it. What stands in the configuration of the instances (policy.<name>.<key>) is not",
      "known here: it holds while no policy of its name is published."
    },
    footer = {
      "",
      "Examples:",
      "  berth policy get plugin/ebs",
      "  berth policy get volume/prod/db -o json"
    })
final class PolicyGetCommand implements Callable<Integer> {

  @Parameters(paramLabel = "NAME", description = PolicyChangeCommand.NAMES)
  private String name = "";

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOption output = new OutputOption();

  private final Terminal terminal;

  PolicyGetCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    PolicyChangeCommand.requireName(connection, name);
    Connection to = connection.connection();
    PolicyTopics.Read read = PolicyTopics.read(to, name);
    output.print(terminal, () -> json(read), () -> lines(read));
    return read.policies().problems(name).isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private List<String> lines(PolicyTopics.Read read) {
    PublishedPolicies policies = read.policies();
    List<String> lines = new ArrayList<>();
    lines.addAll(Lines.paragraph(policies.find(name).map(this::published).orElse(notPublished())));
    policies.problems(name).stream()
        .flatMap(problem -> Lines.paragraph("Not in force: " + problem).stream())
        .map(terminal::bad)
        .forEach(lines::add);
    if (PolicyScope.of(name).equals(Optional.of(PolicyScope.VOLUME))) {
      lines.addAll(
          Lines.paragraph(
              read.plugin()
                  .map(plugin -> "The volume is of plugin " + plugin + ".")
                  .orElse("No such volume is registered: no policy of a plugin is counted in.")));
    }
    TextTable table = new TextTable("KEY", "VALUE", "FROM");
    policies
        .inForce(name, read.plugin())
        .forEach(each -> table.row(each.key(), each.value(), each.from()));
    lines.addAll(output.wide() ? table.lines() : table.folded(Lines.WIDTH));
    return lines;
  }

  private String published(NamedPolicy policy) {
    return "Policy %s, set at %s%s%s"
        .formatted(
            name,
            policy.at(),
            policy.by().isEmpty() ? "" : " by " + policy.by(),
            policy.reason().isEmpty() ? "." : ": " + policy.reason());
  }

  private String notPublished() {
    return "No policy %s is published.".formatted(name);
  }

  private ObjectNode json(PolicyTopics.Read read) {
    ObjectNode document = JsonOutput.mapper().createObjectNode();
    document.put("name", name);
    document.set(
        "published",
        read.policies()
            .find(name)
            .map(policy -> PolicyListCommand.json(read.policies(), policy))
            .orElse(null));
    document.put("plugin", read.plugin().orElse(null));
    ArrayNode inForce = document.putArray("inForce");
    for (InForce each : read.policies().inForce(name, read.plugin())) {
      inForce
          .addObject()
          .put("key", each.key())
          .put("value", each.value())
          .put("from", each.from());
    }
    return document;
  }
}
