package dev.berth.ops.command;

import dev.berth.ops.policy.PolicyRisks;
import dev.berth.ops.policy.PublishedPolicies;
import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.topics.PolicyWriter;
import dev.berth.ops.view.Lines;
import dev.berth.producers.Author;
import dev.berth.producers.Connection;
import dev.berth.producers.files.VolumeName;
import dev.berth.streams.policy.NamedPolicy;
import dev.berth.streams.policy.PolicyCheck;
import dev.berth.streams.policy.PolicyProblem;
import dev.berth.streams.policy.PolicyScope;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/**
 * What changes a policy: reads what is published, checks what would be with Berth's own check, asks
 * where that puts data at risk, and writes. Of two that do so at a time the later write holds as a
 * whole.
 */
abstract class PolicyChangeCommand implements Callable<Integer> {
  static final String NAMES = "default, plugin/PLUGIN or volume/NAMESPACE/VOLUME.";

  @Parameters(index = "0", paramLabel = "NAME", description = NAMES)
  private String name = "";

  @Mixin private final DangerOptions danger = new DangerOptions();
  @Mixin private final AuthorOptions author = new AuthorOptions();
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final TargetOptions api = new TargetOptions();
  @Mixin private final OutputOption output = new OutputOption();

  private final Terminal terminal;
  private final Clock clock;
  private final Question question;

  PolicyChangeCommand(Terminal terminal, Clock clock, Question question) {
    this.terminal = terminal;
    this.clock = clock;
    this.question = question;
  }

  /**
   * What is to be set, as far as the command line says; checked before anything is read.
   *
   * @throws ParameterException when it is not understood
   */
  abstract Map<String, String> given();

  /**
   * What the policy is to say.
   *
   * @param present what it says now
   */
  abstract Map<String, String> changed(Map<String, String> present);

  /** Whether the policy is to go when it says nothing any more. */
  abstract boolean withdrawsEmpty();

  @Override
  public Integer call() throws InterruptedException {
    requireName(connection, name);
    List<PolicyProblem> wrong = PolicyCheck.problems(named(given()));
    if (!wrong.isEmpty()) {
      throw connection.usage(text(wrong));
    }
    String by = author.author().by();
    Connection to = connection.connection();
    PolicyTopics.Read read = PolicyTopics.read(to, name);
    Map<String, String> present = read.policies().settings(name);
    Map<String, String> wanted = new TreeMap<>(changed(present));
    if (wanted.equals(present)) {
      return answer("nothing to change");
    }
    List<PolicyProblem> problems = PolicyCheck.problems(named(wanted));
    if (!problems.isEmpty()) {
      Lines.paragraph("berth: " + text(problems)).stream()
          .map(terminal::bad)
          .forEach(terminal.err()::println);
      return ExitCode.FAILED;
    }
    Optional<String> reason = confirmed(read, present, wanted);
    if (reason.isEmpty()) {
      return ExitCode.FAILED;
    }
    write(to, wanted, Author.of(by, reason.get()));
    return answer(changes(present, wanted));
  }

  private void write(Connection to, Map<String, String> wanted, Author who)
      throws InterruptedException {
    try (PolicyWriter writer = new PolicyWriter(to, clock)) {
      if (wanted.isEmpty() && withdrawsEmpty()) {
        writer.withdraw(name);
      } else {
        writer.set(name, wanted, who);
      }
    }
  }

  /** The reason, once nothing can be lost by it or somebody has said yes. */
  private Optional<String> confirmed(
      PolicyTopics.Read read, Map<String, String> present, Map<String, String> wanted) {
    PublishedPolicies after = read.policies().with(named(wanted));
    List<String> risks =
        PolicyRisks.between(
            read.policies().resolved(name, read.plugin()), after.resolved(name, read.plugin()));
    return risks.isEmpty()
        ? Optional.of(author.reason())
        : danger.confirmed(
            terminal,
            question,
            "Changes policy %s: %s.".formatted(name, changes(present, wanted)),
            String.join(" ", risks),
            this::hits,
            author.reason());
  }

  private List<String> hits() {
    Optional<VolumeName> volume = PolicyScope.volumeKey(name).map(PolicyChangeCommand::volume);
    if (volume.isPresent()) {
      return AtStake.volumes(List.of(volume.get())).lines(connection.api(api));
    }
    return List.of(
        PolicyScope.plugin(name)
            .map("It concerns the claims of 'berth claim list --plugin %s'."::formatted)
            .orElse(
                "It concerns the claims of every plugin and volume without a policy of its own."));
  }

  private static VolumeName volume(String key) {
    String[] parts = key.split("/", 2);
    return new VolumeName(parts[0], parts[1]);
  }

  private NamedPolicy named(Map<String, String> settings) {
    return new NamedPolicy(name, settings, "", "", clock.instant());
  }

  private int answer(String message) {
    return Answered.print(
        terminal,
        output.format(),
        "POLICY",
        List.of(new Answered(name, Answered.Outcome.OK, null, message)));
  }

  /** {@code node-loss=hold (was detach), run is not set (was 1)}. */
  private static String changes(Map<String, String> present, Map<String, String> wanted) {
    return Stream.concat(present.keySet().stream(), wanted.keySet().stream())
        .distinct()
        .sorted()
        .filter(key -> !Optional.ofNullable(present.get(key)).equals(value(wanted, key)))
        .map(key -> change(key, value(present, key), value(wanted, key)))
        .collect(Collectors.joining(", "));
  }

  private static Optional<String> value(Map<String, String> settings, String key) {
    return Optional.ofNullable(settings.get(key));
  }

  private static String change(String key, Optional<String> before, Optional<String> after) {
    return after.map(value -> key + "=" + value).orElse(key + " is not set any more")
        + " (was %s)".formatted(before.orElse("not set"));
  }

  private static String text(List<PolicyProblem> problems) {
    return problems.stream().map(PolicyProblem::text).collect(Collectors.joining(". And: "));
  }

  /**
   * Checks a policy's name.
   *
   * @throws ParameterException naming the forms there are
   */
  static void requireName(ConnectionOptions options, String name) {
    List<PolicyProblem> problems =
        PolicyCheck.problems(new NamedPolicy(name, Map.of(), "", "", Instant.EPOCH));
    if (!problems.isEmpty()) {
      throw options.usage(text(problems));
    }
  }

  /** A usage error of this command. */
  final ParameterException usage(String message) {
    return connection.usage(message);
  }
}
