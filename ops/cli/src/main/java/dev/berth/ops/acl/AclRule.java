package dev.berth.ops.acl;

import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What a role is to be allowed on some resources of one kind.
 *
 * @param role the role
 * @param resource kind of the resources
 * @param pattern whether the names are whole or beginnings
 * @param names names, in order; for the cluster the one that Kafka gives it
 * @param operations what is allowed, in order
 * @param why what it is for, a few words
 */
public record AclRule(
    Role role,
    ResourceType resource,
    PatternType pattern,
    List<String> names,
    List<AclOperation> operations,
    String why) {

  /** Keeps copies. */
  public AclRule {
    names = List.copyOf(names);
    operations = List.copyOf(operations);
  }
}
