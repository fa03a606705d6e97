package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.acl.AclCommands;
import dev.berth.ops.acl.AclPlan;
import dev.berth.ops.acl.AclRule;
import dev.berth.ops.acl.Role;
import dev.berth.ops.terminal.Terminal;
import dev.berth.schemas.topics.Topics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code berth topics acl}: without asking any cluster. */
@Command(
    name = "acl",
    description = {
      "Prints the ACLs that each kind of process needs, for kafka-acls.",
      "Drawn up from the catalogue, without asking a cluster. The kinds: streams,",
      "worker, scheduler, operator (this command), provisioner (topics create)."
    },
    footer = {
      "",
      "Examples:",
      "  berth topics acl",
      "  berth topics acl streams --principal streams=User:CN=berth",
      "  berth topics acl --prefix prod -o json"
    })
final class TopicsAclCommand implements Callable<Integer> {

  @Parameters(
      arity = "0..1",
      paramLabel = "KIND",
      description = "One kind of process (default: all).")
  private @Nullable String role;

  @Option(
      names = "--principal",
      paramLabel = "KIND=PRINCIPAL",
      description = "Who that is for the brokers (default: User:berth-KIND); may be repeated.")
  private Map<String, String> principals = new LinkedHashMap<>();

  @Mixin private final PrefixOption prefix = new PrefixOption();

  @Option(
      names = "--application-id",
      paramLabel = "ID",
      description = "application.id of the Streams application (default: PREFIX-streams).")
  private @Nullable String applicationId;

  @Option(
      names = "--worker-ids",
      paramLabel = "BEGINNING",
      defaultValue = "worker",
      description = "What every worker.id begins with (default: ${DEFAULT-VALUE}).")
  private String workerIds = "worker";

  @Option(
      names = "--bootstrap-servers",
      paramLabel = "HOST:PORT",
      defaultValue = "localhost:9092",
      description = "A broker, for the commands (default: ${DEFAULT-VALUE}).")
  private String brokers = "localhost:9092";

  @Mixin private final OutputOption output = new OutputOption();

  @Spec private CommandSpec spec;
  private final Terminal terminal;

  TopicsAclCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Topics topics = prefix.topics();
    principals.keySet().forEach(this::role);
    Role only = role == null ? null : role(role);
    List<AclRule> rules =
        AclPlan.of(
                topics,
                applicationId == null ? topics.prefix() + "-streams" : applicationId,
                workerIds)
            .stream()
            .filter(rule -> only == null || rule.role() == only)
            .toList();
    output.print(terminal, () -> json(rules), () -> lines(rules));
    return ExitCode.OK;
  }

  private List<String> lines(List<AclRule> rules) {
    List<String> lines = new ArrayList<>();
    Role last = null;
    for (AclRule rule : rules) {
      if (rule.role() != last) {
        lines.add((last == null ? "" : "\n") + "# " + rule.role().word());
        last = rule.role();
      }
      lines.add("# " + rule.why());
      lines.add(AclCommands.of(rule, brokers, principal(rule.role())));
    }
    return lines;
  }

  private ArrayNode json(List<AclRule> rules) {
    ArrayNode list = JsonOutput.mapper().createArrayNode();
    for (AclRule rule : rules) {
      for (String name : rule.names()) {
        ObjectNode entry = list.addObject();
        entry.put("kind", rule.role().word());
        entry.put("principal", principal(rule.role()));
        entry.put("resource", rule.resource().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        entry.put("pattern", rule.pattern().name().toLowerCase(Locale.ROOT));
        entry.put("name", name);
        ArrayNode operations = entry.putArray("operations");
        rule.operations().forEach(operation -> operations.add(AclCommands.word(operation)));
        entry.put("for", rule.why());
      }
    }
    return list;
  }

  private String principal(Role of) {
    return principals.entrySet().stream()
        .filter(given -> given.getKey().equalsIgnoreCase(of.word()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("User:berth-" + of.word());
  }

  private Role role(String word) {
    return Stream.of(Role.values())
        .filter(known -> known.word().equalsIgnoreCase(word))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "'%s' is no kind of process; there are %s"
                        .formatted(
                            word,
                            String.join(", ", Stream.of(Role.values()).map(Role::word).toList()))));
  }
}
