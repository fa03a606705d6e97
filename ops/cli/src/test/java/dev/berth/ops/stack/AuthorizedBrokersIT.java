package dev.berth.ops.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Message;
import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.ops.acl.AclPlan;
import dev.berth.ops.acl.AclRule;
import dev.berth.ops.acl.Role;
import dev.berth.ops.command.BerthCommand;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.topics.PolicyWriter;
import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.Alloc;
import dev.berth.producers.Author;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.Commands;
import dev.berth.producers.Connection;
import dev.berth.producers.NodePublisher;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.producers.VolumeUse;
import dev.berth.proto.api.BerthGrpc;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.Claim;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.NodeStatus;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.app.AppConfig;
import dev.berth.streams.app.BerthApp;
import dev.berth.streams.topology.BerthTopology;
import dev.berth.workers.Worker;
import dev.berth.workers.config.WorkerConfig;
import dev.berth.workers.config.WorkerRole;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Brokers with an authorizer")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class AuthorizedBrokersIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String SUPER = "admin";
  private static final String LOGIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required";

  @TempDir private Path temp;

  @Test
  @DisplayName("serve every process of Berth that may do what topics acl prints, and no more")
  void suffices() throws Exception {
    try (EmbeddedBroker broker = broker();
        EmbeddedRegistry registry = EmbeddedRegistry.start(temp.resolve("registry"))) {
      Connection to = Connection.to(broker.bootstrapServers(), registry.url());
      allow(to);
      assertThat(berth(to, Role.PROVISIONER, "topics", "create", "--replication-factor", "1"))
          .contains("Created so many topics: " + Topic.values().length);
      StackConfig config =
          StackConfig.in(temp.resolve("data"))
              .withNodes(1)
              .withPlugins(StackPlugin.usual().subList(0, 1));
      try (StackDirectory directory = StackDirectory.take(config.data());
          StackPlugins plugins = StackPlugins.start(config, directory, Clock.systemUTC());
          BerthApp app = application(to);
          Worker worker = worker(to, plugins, directory)) {
        app.start();
        worker.start();
        assertThat(app.awaitRunning(PATIENCE)).isTrue();
        publish(to, config);
        register(to);
        await().atMost(PATIENCE).until(() -> schedulable(app));
        assertThat(watched(app)).hasSize(8);
        claimAndEnd(to);
        await()
            .atMost(PATIENCE)
            .untilAsserted(() -> assertThat(claims(as(to, principal(Role.OPERATOR)))).isEmpty());
        assertThat(berth(to, Role.OPERATOR, "doctor", "--api", app.apiAddress()))
            .contains("ok       ACLs            somebody may read and write each topic")
            .doesNotContain("not answered");
      }
    }
  }

  /** The watches that told all there is: the topics that they follow may be read. */
  private static List<String> watched(BerthApp app) {
    ManagedChannel channel =
        Grpc.newChannelBuilder(app.apiAddress(), InsecureChannelCredentials.create()).build();
    List<String> synced = new ArrayList<>();
    for (MethodDescriptor<?, ?> method : BerthGrpc.getServiceDescriptor().getMethods()) {
      String name = String.valueOf(method.getBareMethodName());
      if (name.startsWith("Watch") && synced(channel, method)) {
        synced.add(name);
      }
    }
    channel.shutdownNow();
    return synced;
  }

  private static <Q> boolean synced(ManagedChannel channel, MethodDescriptor<Q, ?> method) {
    Q request =
        ((MethodDescriptor.PrototypeMarshaller<Q>) method.getRequestMarshaller())
            .getMessagePrototype();
    Iterator<?> changes =
        ClientCalls.blockingServerStreamingCall(
            channel,
            method,
            CallOptions.DEFAULT.withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS),
            request);
    while (changes.hasNext()) {
      Message change = (Message) changes.next();
      if (change.hasField(change.getDescriptorForType().findFieldByName("synced"))) {
        return true;
      }
    }
    return false;
  }

  private EmbeddedBroker broker() {
    String users =
        Stream.concat(
                Stream.of(SUPER), Stream.of(Role.values()).map(AuthorizedBrokersIT::principal))
            .map(user -> "user_%1$s=\"%1$s\"".formatted(user))
            .collect(Collectors.joining(" "));
    return EmbeddedBroker.in(temp.resolve("broker"))
        .with("listener.security.protocol.map", "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT")
        .with("sasl.enabled.mechanisms", "PLAIN")
        .with("sasl.mechanism.inter.broker.protocol", "PLAIN")
        .with(
            "listener.name.plaintext.plain.sasl.jaas.config",
            "%s username=\"%2$s\" password=\"%2$s\" %3$s;".formatted(LOGIN, SUPER, users))
        .with("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
        // Who comes to the controller's listener is not asked who he is.
        .with("super.users", "User:" + SUPER + ";User:ANONYMOUS")
        .start();
  }

  private static void allow(Connection to) throws Exception {
    List<AclBinding> bindings = new ArrayList<>();
    for (AclRule rule : AclPlan.of(Topics.withDefaultPrefix(), "berth-streams", "worker")) {
      for (String name : rule.names()) {
        rule.operations()
            .forEach(
                operation ->
                    bindings.add(
                        new AclBinding(
                            new ResourcePattern(rule.resource(), name, rule.pattern()),
                            new AccessControlEntry(
                                "User:" + principal(rule.role()),
                                "*",
                                operation,
                                AclPermissionType.ALLOW))));
      }
    }
    Map<String, Object> settings = new HashMap<>(as(to, SUPER).kafka());
    settings.put("bootstrap.servers", to.bootstrapServers());
    try (Admin admin = Admin.create(settings)) {
      admin.createAcls(bindings).all().get();
    }
  }

  private BerthApp application(Connection to) {
    Map<String, String> settings = new HashMap<>(to.registry());
    settings.put("bootstrap.servers", to.bootstrapServers());
    settings.put("state.dir", temp.resolve("state").toString());
    settings.put("standby.replicas", "0");
    settings.put("replication.factor", "1");
    settings.put("threads", "1");
    settings.put("api.listen", "127.0.0.1:0");
    as(to, principal(Role.STREAMS))
        .kafka()
        .forEach((key, value) -> settings.put("kafka." + key, value));
    return new BerthApp(AppConfig.parse(settings), BerthTopology::build);
  }

  private static Worker worker(Connection to, StackPlugins plugins, StackDirectory directory) {
    return new Worker(
        new WorkerConfig(
            "worker-1",
            new WorkerRole.Everything(),
            to.bootstrapServers(),
            to.registry(),
            to.topics(),
            plugins.endpoints(),
            10,
            directory.mounts("all"),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            OptionalInt.empty(),
            Map.of(),
            as(to, principal(Role.WORKER)).kafka()));
  }

  private static void publish(Connection to, StackConfig config) throws Exception {
    try (PolicyWriter policies =
        new PolicyWriter(as(to, principal(Role.OPERATOR)), Clock.systemUTC())) {
      for (StackPlugin plugin : config.plugins()) {
        policies.set("plugin/" + plugin.id(), plugin.policy(), Author.of("test"));
      }
    }
    try (NodePublisher nodes = NodePublisher.start(scheduler(to))) {
      nodes.publish("n1", NodeStatus.READY, true).get(60, TimeUnit.SECONDS);
    }
  }

  private static void register(Connection to) throws Exception {
    VolumeSpec volume =
        VolumeSpec.newBuilder()
            .setNamespace("prod")
            .setVolume("db")
            .setPlugin("ebs")
            .setExternalId("vol-1")
            .setCapabilities(
                List.of(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
            .build();
    try (Commands commands = Commands.start(as(to, principal(Role.OPERATOR)))) {
      commands.registerVolume(volume, Author.of("test")).get(60, TimeUnit.SECONDS);
    }
  }

  private static void claimAndEnd(Connection to) throws Exception {
    try (Scheduler scheduler = Scheduler.start(scheduler(to))) {
      scheduler
          .claim(
              ClaimRequest.write("a1", "n1", "prod", "db", AccessMode.SINGLE_NODE_WRITER).build())
          .get(60, TimeUnit.SECONDS);
      assertThat(claims(as(to, principal(Role.OPERATOR)))).containsOnlyKeys("prod/db/a1");
      scheduler
          .alloc(
              Alloc.of("a1", VolumeUse.of("prod", "db")), ClientStatus.COMPLETE, DesiredStatus.RUN)
          .get(60, TimeUnit.SECONDS);
    }
  }

  private static SchedulerConfig scheduler(Connection to) {
    return SchedulerConfig.of("dev", as(to, principal(Role.SCHEDULER)));
  }

  private static Map<String, Claim> claims(Connection connection) {
    try (TopicContent content = new TopicContent(connection)) {
      return content.table(Topic.CLAIMS, Claim.class);
    }
  }

  private static String principal(Role role) {
    return "berth-" + role.word();
  }

  private static Connection as(Connection to, String user) {
    return to.withKafka(
        Map.of(
            "security.protocol",
            "SASL_PLAINTEXT",
            "sasl.mechanism",
            "PLAIN",
            "sasl.jaas.config",
            "%s username=\"%2$s\" password=\"%2$s\";".formatted(LOGIN, user)));
  }

  /** As the processor sees it that decides of claims. */
  private static boolean schedulable(BerthApp app) {
    return run("volume", "status", "prod/db", "-o", "json", "--api", app.apiAddress())
        .contains("\"schedulable\" : true");
  }

  private static String berth(Connection to, Role role, String... command) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(
        List.of(
            "--bootstrap-servers",
            to.bootstrapServers(),
            "--registry",
            String.valueOf(to.registry().get("schema.registry.url"))));
    as(to, principal(role))
        .kafka()
        .forEach((key, value) -> words.addAll(List.of("--set", "kafka." + key + "=" + value)));
    return run(words.toArray(String[]::new));
  }

  private static String run(String... words) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    assertThat(BerthCommand.run(Terminal.plain(out, out), words))
        .as(printed.toString(StandardCharsets.UTF_8))
        .isZero();
    return printed.toString(StandardCharsets.UTF_8);
  }
}
