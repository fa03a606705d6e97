package dev.berth.ops.doctor;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is said of the groups of the application and its workers, from two looks at them. */
final class GroupChecks {
  private static final String NAME = "groups";

  private GroupChecks() {}

  /**
   * Returns whether a second look is worth its wait: some member is behind its group, which is so
   * for seconds whenever one comes or goes.
   */
  static boolean isUnsettled(List<GroupLook> looks) {
    return looks.stream().anyMatch(look -> !look.behind().isEmpty());
  }

  /**
   * Of members that were behind in both looks and have not moved. Others wait for the partitions
   * that such a member holds. Brokers drop a member that says nothing for its session, so one that
   * stays either gives its partitions up slowly, or is gone and its broker does not notice.
   */
  static List<Check> members(List<GroupLook> before, List<GroupLook> after) {
    Set<GroupLook.Member> then = new HashSet<>();
    before.forEach(look -> then.addAll(look.behind()));
    List<Check> checks = new ArrayList<>();
    for (GroupLook look : after) {
      List<GroupLook.Member> still = look.behind().stream().filter(then::contains).toList();
      if (!still.isEmpty()) {
        List<String> names =
            still.stream()
                .map(
                    member ->
                        "%s (%s, at epoch %d)"
                            .formatted(member.client(), member.id(), member.epoch()))
                .toList();
        checks.add(
            Check.wrong(
                NAME,
                "%s is at epoch %d and waits for %s: what they hold is nobody else's meanwhile"
                    .formatted(look.group(), look.epoch(), ClusterChecks.some(names)),
                "where no such process runs, restart the broker %s, which drops them then"
                    .formatted(look.coordinator())));
      }
    }
    return checks.isEmpty() ? List.of(fine(after.size())) : checks;
  }

  private static Check fine(int groups) {
    return Check.ok(
        NAME,
        groups == 0
            ? "none of the new protocols that this command may see"
            : groups + " of the new protocols, whose members follow");
  }
}
