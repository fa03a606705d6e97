package dev.berth.ops.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.ops.doctor.Check.Result;
import dev.berth.records.PluginRole;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.config.PluginAddress;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeploymentChecksTest {
  private static final Topics TOPICS = new Topics("berth");
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  @TempDir private Path temp;

  @Test
  @DisplayName("transactions that brokers do not allow are wrong, those they end late a warning")
  void transactions() {
    assertThat(TimeoutChecks.transactions(Map.of())).isEmpty();
    assertThat(
            TimeoutChecks.transactions(
                Map.of(
                    "transaction.max.timeout.ms", "5000",
                    "transaction.abort.timed.out.transaction.cleanup.interval.ms", "10000")))
        .containsExactly(
            new Check(
                "timeouts",
                Result.WRONG,
                "transaction.max.timeout.ms of a broker is 5 s, and Berth's transactions ask for"
                    + " 10 s",
                "set transaction.max.timeout.ms=10000 or more on the brokers"),
            new Check(
                "timeouts",
                Result.WARNING,
                "transaction.abort.timed.out.transaction.cleanup.interval.ms of a broker is 10 s:"
                    + " what a killed process left open hides later records for that and 10 s",
                "set transaction.abort.timed.out.transaction.cleanup.interval.ms=1000 on the"
                    + " brokers"));
  }

  @Test
  @DisplayName("sessions that brokers refuse are wrong, and one shorter than a transaction in vain")
  void sessions() {
    Map<String, String> broker =
        Map.of("group.min.session.timeout.ms", "6000", "group.max.session.timeout.ms", "1800000");
    assertThat(TimeoutChecks.sessions(broker, Map.of())).isEmpty();
    assertThat(TimeoutChecks.sessions(Map.of("group.min.session.timeout.ms", "8000"), Map.of()))
        .extracting(Check::result, Check::remedy)
        .containsExactly(
            tuple(
                Result.WRONG,
                "set group.min.session.timeout.ms=6000 on the brokers, or another"
                    + " kafka.session.timeout.ms for them"));
    assertThat(TimeoutChecks.sessions(broker, Map.of("consumer.session.timeout.ms", "7000")))
        .extracting(Check::result, Check::found)
        .containsExactly(
            tuple(
                Result.WARNING,
                "session.timeout.ms is 7 s, less than the 10 s of transactions: who takes over"
                    + " waits for those anyway"));
  }

  @Test
  @DisplayName("work that is dropped while its call may be open is wrong")
  void calls() {
    Duration call = Duration.ofMinutes(2);
    assertThat(TimeoutChecks.calls(call, Map.of("berth.plugin-work", Duration.ofDays(30))))
        .isEmpty();
    assertThat(TimeoutChecks.calls(call, Map.of("berth.plugin-work", call)))
        .extracting(Check::found)
        .containsExactly(
            "berth.plugin-work keeps records for 120 s, and a call may take 120 s (rpc-timeout):"
                + " its record can be gone while it is open");
  }

  @Test
  @DisplayName("clocks are as far apart as their answers prove")
  void clocks() {
    Instant later = NOON.plusSeconds(1);
    assertThat(ClockChecks.of("x", NOON, NOON.plusMillis(500), later))
        .isEqualTo(Check.ok("clock", "that of x and this machine's agree"));
    assertThat(ClockChecks.of("x", NOON, later.plusMillis(2_500), later))
        .satisfies(
            check -> {
              assertThat(check.result()).isEqualTo(Result.WARNING);
              assertThat(check.found()).isEqualTo("that of x is 2.5 s ahead of this machine's");
            });
    assertThat(ClockChecks.of("x", NOON, NOON.minusSeconds(90), later))
        .satisfies(
            check -> {
              assertThat(check.result()).isEqualTo(Result.WRONG);
              assertThat(check.found()).isEqualTo("that of x is 90.0 s behind this machine's");
            });
  }

  @Test
  @DisplayName("a topic that no ACL opens to anybody is a warning")
  void acls() {
    assertThat(AccessChecks.granted(TOPICS, List.of(acl(PatternType.PREFIXED, "berth."))))
        .extracting(Check::result)
        .containsExactly(Result.OK);
    List<AclBinding> all = new ArrayList<>();
    for (Topic topic : Topic.values()) {
      if (topic != Topic.CLAIMS) {
        all.add(acl(PatternType.LITERAL, TOPICS.name(topic)));
      }
    }
    assertThat(AccessChecks.granted(TOPICS, all))
        .extracting(Check::result, Check::found)
        .containsExactly(
            tuple(Result.WARNING, "no ACL lets anybody but super users read berth.claims"),
            tuple(Result.WARNING, "no ACL lets anybody but super users write berth.claims"));
    assertThat(AccessChecks.own(List.of(described("berth.claims", AclOperation.DESCRIBE)), TOPICS))
        .extracting(Check::found)
        .containsExactly("this command may not read berth.claims");
    assertThat(AccessChecks.own(List.of(described("berth.claims", AclOperation.READ)), TOPICS))
        .extracting(Check::result)
        .containsExactly(Result.OK);
  }

  @Test
  @DisplayName("a partitioner of one's own is a warning")
  void partitioner() {
    assertThat(ClusterChecks.partitioner(Map.of("client.id", "x")).result()).isEqualTo(Result.OK);
    assertThat(ClusterChecks.partitioner(Map.of("producer.partitioner.class", "x")).found())
        .startsWith("kafka.producer.partitioner.class is set");
  }

  @Test
  @DisplayName("a socket that takes no connections is wrong, with who is to start what where")
  void sockets() throws IOException {
    Path socket = temp.resolve("csi.sock");
    assertThat(SocketChecks.of(List.of(endpoint(socket))))
        .containsExactly(
            new Check(
                "plugin socket",
                Result.WRONG,
                "plugins.ebs.endpoint=unix://" + socket + ": there is no such socket",
                "start the plugin on n1, let this user reach its socket, or correct the endpoint"));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      assertThat(SocketChecks.of(List.of(endpoint(socket))))
          .extracting(Check::result)
          .containsExactly(Result.OK);
    }
    assertThat(SocketChecks.of(List.of(endpoint(socket))))
        .extracting(Check::result)
        .containsExactly(Result.WRONG);
  }

  private static EndpointConfig endpoint(Path socket) {
    return new EndpointConfig(
        "ebs",
        Optional.empty(),
        PluginRole.CONTROLLER,
        "n1",
        EndpointConfig.POOL,
        new PluginAddress("unix://" + socket),
        Optional.empty(),
        Optional.empty());
  }

  private static AclBinding acl(PatternType pattern, String name) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, name, pattern),
        new AccessControlEntry("User:x", "*", AclOperation.ALL, AclPermissionType.ALLOW));
  }

  private static TopicDescription described(String name, AclOperation operation) {
    return new TopicDescription(name, false, List.of(), Set.of(operation));
  }
}
