package dev.berth.streams.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Checks a policy before it comes into force. The same check serves whoever writes policies. */
public final class PolicyCheck {
  private static final String FIRST = "backoff.first";
  private static final String LONGEST = "backoff.max";

  private PolicyCheck() {}

  /** What keeps a policy from coming into force; empty when nothing does. */
  public static List<PolicyProblem> problems(NamedPolicy policy) {
    Optional<PolicyScope> scope = PolicyScope.of(policy.name());
    if (scope.isEmpty()) {
      return List.of(unknownName(policy.name()));
    }
    List<PolicyProblem> problems = new ArrayList<>();
    policy
        .settings()
        .forEach(
            (key, value) ->
                problem(policy.name(), scope.get(), key, value).ifPresent(problems::add));
    if (problems.isEmpty()) {
      firstBeyondLongest(policy).ifPresent(problems::add);
    }
    return problems;
  }

  private static Optional<PolicyProblem> problem(
      String policy, PolicyScope scope, String key, String value) {
    Optional<Setting<?>> found = PolicySettings.find(key);
    if (found.isEmpty()) {
      return Optional.of(
          new PolicyProblem(policy, key, value, "there is no such key", "take one of " + keys()));
    }
    Setting<?> setting = found.get();
    if (setting.narrowest().compareTo(scope) < 0) {
      return Optional.of(
          new PolicyProblem(
              policy,
              key,
              value,
              "it cannot be set that narrowly",
              "set it in " + setting.narrowest().pattern()));
    }
    return setting.read(value).isPresent()
        ? Optional.empty()
        : Optional.of(
            new PolicyProblem(
                policy,
                key,
                value,
                "it is not " + setting.values().allowed(),
                "write for example " + setting.values().example()));
  }

  private static Optional<PolicyProblem> firstBeyondLongest(NamedPolicy policy) {
    Map<String, String> settings = policy.settings();
    String first = settings.get(FIRST);
    String longest = settings.get(LONGEST);
    if (first == null || longest == null || duration(first).compareTo(duration(longest)) <= 0) {
      return Optional.empty();
    }
    return Optional.of(
        new PolicyProblem(
            policy.name(),
            FIRST,
            first,
            "it is longer than %s = '%s'".formatted(LONGEST, longest),
            "set %s to %s or less".formatted(FIRST, longest)));
  }

  private static Duration duration(String text) {
    return DurationText.parse(text.strip()).orElse(Duration.ZERO);
  }

  private static PolicyProblem unknownName(String name) {
    return new PolicyProblem(
        name,
        "",
        "",
        "no policy can have that name",
        "name it default, plugin/<id> or volume/<namespace>/<volume>");
  }

  private static String keys() {
    return PolicySettings.all().stream().map(Setting::key).collect(Collectors.joining(", "));
  }
}
