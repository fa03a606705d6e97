package dev.berth.ops.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.GroupType;

/** Asks the brokers for the groups of a deployment, as far as this command may see them. */
final class GroupExamination {

  /** Longer than members take to follow each other, and than the sessions that Berth asks for. */
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

  private GroupExamination() {}

  /**
   * Looks once, and a second time if some member is behind.
   *
   * @param prefix what the names of the groups begin with
   */
  static List<Check> run(Admin admin, String prefix)
      throws InterruptedException, ExecutionException, TimeoutException {
    List<GroupLook> first = look(admin, prefix);
    if (!GroupChecks.isUnsettled(first)) {
      return GroupChecks.members(first, first);
    }
    TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS.toMillis());
    return GroupChecks.members(first, look(admin, prefix));
  }

  private static List<GroupLook> look(Admin admin, String prefix)
      throws InterruptedException, ExecutionException, TimeoutException {
    Collection<GroupListing> listed = BrokerExamination.get(admin.listGroups().valid());
    List<GroupLook> looks = new ArrayList<>();
    BrokerExamination.get(admin.describeStreamsGroups(ids(listed, prefix, GroupType.STREAMS)).all())
        .values()
        .forEach(group -> looks.add(GroupLook.of(group)));
    BrokerExamination.get(
            admin.describeConsumerGroups(ids(listed, prefix, GroupType.CONSUMER)).all())
        .values()
        .forEach(group -> looks.add(GroupLook.of(group)));
    return looks;
  }

  /** Classic groups have no members that stay behind: a round waits for nobody for long. */
  private static List<String> ids(
      Collection<GroupListing> listed, String prefix, GroupType protocol) {
    return listed.stream()
        .filter(group -> group.type().filter(protocol::equals).isPresent())
        .map(GroupListing::groupId)
        .filter(id -> id.startsWith(prefix + ".") || id.startsWith(prefix + "-"))
        .sorted()
        .toList();
  }
}
