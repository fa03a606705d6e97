package dev.berth.ops.acl;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;

/** Rules as command lines of Kafka's {@code kafka-acls}. */
public final class AclCommands {
  private AclCommands() {}

  /**
   * The command line that sets a rule.
   *
   * @param brokers {@code host:port} of a broker
   * @param principal whom it is for, {@code User:name}
   */
  public static String of(AclRule rule, String brokers, String principal) {
    return Stream.of(
            Stream.of(
                "kafka-acls --bootstrap-server %s --add --allow-principal %s"
                    .formatted(quoted(brokers), quoted(principal))),
            rule.operations().stream().map(operation -> "--operation " + word(operation)),
            rule.pattern() == PatternType.PREFIXED
                ? Stream.of("--resource-pattern-type prefixed")
                : Stream.<String>empty(),
            resources(rule))
        .flatMap(parts -> parts)
        .collect(Collectors.joining(" "));
  }

  /** An operation as Kafka writes it: {@code DescribeConfigs}. */
  public static String word(AclOperation operation) {
    return Stream.of(operation.name().split("_", -1))
        .map(part -> part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }

  private static Stream<String> resources(AclRule rule) {
    List<String> names = rule.names();
    return switch (rule.resource()) {
      case TOPIC -> names.stream().map(name -> "--topic " + quoted(name));
      case GROUP -> names.stream().map(name -> "--group " + quoted(name));
      case TRANSACTIONAL_ID -> names.stream().map(name -> "--transactional-id " + quoted(name));
      case CLUSTER -> Stream.of("--cluster");
      default -> throw new IllegalArgumentException("no rule is about " + rule.resource());
    };
  }

  private static String quoted(String text) {
    return text.matches("[A-Za-z0-9_.:,/=@-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
