package dev.berth.ops.live;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The metrics of this process, as JMX shows them: Berth's own, which Streams keeps, and those of
 * Streams, of all Kafka clients and of the broker.
 */
final class ProcessMetrics {
  /** What the Java runtime and the log library say of themselves. */
  private static final Set<String> OTHERS = Set.of("JMImplementation", "ch.qos.logback.classic");

  private ProcessMetrics() {}

  /** One text for each metric: its name with its tags, its description and its value. */
  static Stream<String> all() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    return server.queryNames(null, null).stream()
        .filter(name -> isMetric(name.getDomain()))
        .flatMap(name -> of(server, name));
  }

  private static boolean isMetric(String domain) {
    return !domain.startsWith("java.")
        && !domain.startsWith("jdk.")
        && !domain.startsWith("com.sun.")
        && !OTHERS.contains(domain);
  }

  private static Stream<String> of(MBeanServer server, ObjectName name) {
    try {
      MBeanAttributeInfo[] infos = server.getMBeanInfo(name).getAttributes();
      String[] names = Stream.of(infos).map(MBeanAttributeInfo::getName).toArray(String[]::new);
      List<Attribute> values = server.getAttributes(name, names).asList();
      return Stream.concat(
          Stream.of(infos).map(info -> name + " " + info.getName() + " " + info.getDescription()),
          values.stream().map(value -> name + " " + value.getName() + " " + value.getValue()));
    } catch (InstanceNotFoundException e) {
      // Whoever measured it has just ended.
      return Stream.empty();
    } catch (JMException e) {
      throw new IllegalStateException("metric " + name + " cannot be read: " + e.getMessage(), e);
    }
  }
}
