package dev.berth.streams.cluster;

import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.NamedPolicy;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.policy.PolicyCheck;
import dev.berth.streams.policy.PolicyProblem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The policies in force: those of the configuration, replaced name by name by those published. */
final class PolicyBook {
  private PolicyBook() {}

  /** A policy was published. One with a problem changes nothing: what was in force stays. */
  static void report(ClusterDraft draft, NamedPolicy policy) {
    List<PolicyProblem> problems = PolicyCheck.problems(policy);
    if (!problems.isEmpty()) {
      draft.reject(
          problems.stream().map(PolicyProblem::text).collect(Collectors.joining(". And: ")));
      return;
    }
    draft.tables().put(OwnTables.NAMED_POLICIES, policy.name(), policy);
    refresh(draft);
  }

  /** A policy was withdrawn. */
  static void delete(ClusterDraft draft, String name) {
    draft.tables().remove(OwnTables.NAMED_POLICIES, name);
    refresh(draft);
  }

  /** Puts into force what is published and configured now, as a new version if it differs. */
  static void refresh(ClusterDraft draft) {
    Map<String, Map<String, String>> settings = new HashMap<>(draft.configured().settings());
    for (State.Entry<NamedPolicy> row : draft.tables().scan(OwnTables.NAMED_POLICIES, "")) {
      settings.put(row.key(), row.value().settings());
    }
    Policies before = ClusterTables.policies(draft.tables());
    if (!settings.equals(before.settings())) {
      draft.announce(
          new ClusterSignal.PoliciesChanged(new Policies(before.version() + 1, settings)));
    }
  }
}
