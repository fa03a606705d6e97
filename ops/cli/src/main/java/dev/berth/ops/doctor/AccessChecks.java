package dev.berth.ops.doctor;

import dev.berth.ops.acl.AclCommands;
import dev.berth.ops.acl.Role;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** What is said of who may do what on the brokers; from what they answered. */
final class AccessChecks {
  private static final String NAME = "ACLs";
  private static final String REMEDY = "berth topics acl prints what each kind of process needs";

  private AccessChecks() {}

  /** The brokers ask nobody who he is. */
  static Check none() {
    return Check.warning(
        NAME,
        "the brokers have no authorizer: everybody who reaches them may do everything",
        "set authorizer.class.name on the brokers; " + REMEDY);
  }

  /**
   * Of all ACLs: somebody is allowed to do with each topic what Berth's processes do.
   *
   * @param bindings all that there are
   */
  static List<Check> granted(Topics topics, Collection<AclBinding> bindings) {
    List<Check> checks = new ArrayList<>();
    for (AclOperation operation : List.of(AclOperation.READ, AclOperation.WRITE)) {
      List<String> nobody =
          Stream.of(Topic.values())
              .filter(topic -> isNeeded(topic, operation))
              .map(topics::name)
              .filter(name -> bindings.stream().noneMatch(acl -> allows(acl, name, operation)))
              .toList();
      if (!nobody.isEmpty()) {
        checks.add(
            Check.warning(
                NAME,
                "no ACL lets anybody but super users %s %s"
                    .formatted(
                        AclCommands.word(operation).toLowerCase(Locale.ROOT),
                        ClusterChecks.some(nobody)),
                REMEDY));
      }
    }
    return checks.isEmpty()
        ? List.of(Check.ok(NAME, "somebody may read and write each topic"))
        : checks;
  }

  /**
   * Of what this command itself may do, when it may not see the ACLs.
   *
   * @param described the topics with what is allowed with them
   */
  static List<Check> own(Collection<TopicDescription> described, Topics topics) {
    List<String> missing = new ArrayList<>();
    for (TopicDescription topic : described) {
      Set<AclOperation> may = topic.authorizedOperations();
      boolean reads = topics.find(topic.name()).filter(Role.OPERATOR::reads).isPresent();
      if (may != null && reads && !may.contains(AclOperation.READ)) {
        missing.add(topic.name());
      }
    }
    return missing.isEmpty()
        ? List.of(Check.ok(NAME, "this command may read every topic; it may not see the ACLs"))
        : List.of(
            Check.warning(
                NAME,
                "this command may not read " + ClusterChecks.some(missing),
                REMEDY + " (operator)"));
  }

  private static boolean isNeeded(Topic topic, AclOperation operation) {
    return EnumSet.of(Role.STREAMS, Role.WORKER, Role.SCHEDULER).stream()
        .anyMatch(role -> operation == AclOperation.READ ? role.reads(topic) : role.writes(topic));
  }

  private static boolean allows(AclBinding acl, String topic, AclOperation operation) {
    AccessControlEntry entry = acl.entry();
    return entry.permissionType() == AclPermissionType.ALLOW
        && (entry.operation() == operation || entry.operation() == AclOperation.ALL)
        && covers(acl.pattern(), topic);
  }

  private static boolean covers(ResourcePattern pattern, String topic) {
    return pattern.resourceType() == ResourceType.TOPIC
        && (pattern.patternType() == PatternType.PREFIXED
            ? topic.startsWith(pattern.name())
            : pattern.name().equals(topic)
                || pattern.name().equals(ResourcePattern.WILDCARD_RESOURCE));
  }
}
