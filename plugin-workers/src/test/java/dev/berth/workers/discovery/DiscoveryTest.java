package dev.berth.workers.discovery;

import static dev.berth.workers.WorkFixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.BoolValue;
import com.sun.net.httpserver.HttpServer;
import dev.berth.proto.csi.IdentityGrpc;
import dev.berth.proto.csi.ProbeResponse;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.workers.FakePlugin;
import dev.berth.workers.ManualClocks;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.config.PluginAddress;
import dev.berth.workers.csi.PluginConnection;
import dev.berth.workers.csi.PluginEndpoint;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looks at a plugin over a real socket; what is published is kept in a list. */
class DiscoveryTest {

  private static final Duration INTERVAL = Duration.ofSeconds(30);

  private final ManualClocks clocks = new ManualClocks();
  private final List<PluginInstance> published = new CopyOnWriteArrayList<>();
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final ListedTopic topic = new ListedTopic();
  private volatile boolean takesCalls = true;
  private FakePlugin plugin;

  @BeforeEach
  void startPlugin() throws IOException {
    plugin = FakePlugin.start();
  }

  @AfterEach
  void stopPlugin() {
    plugin.close();
  }

  @Test
  void aControllerIsPublishedWithItsCapabilities() {
    look(watch(endpoint(PluginRole.CONTROLLER, Optional.of("ebs"))));

    assertThat(published).containsExactly(controller().build());
  }

  @Test
  void aNodeIsPublishedWithWhatItIsCalled() {
    look(watch(endpoint(PluginRole.NODE, Optional.of("ebs"))));

    assertThat(published)
        .containsExactly(
            instance(PluginRole.NODE)
                .setStage(true)
                .setExternalNode("i-1")
                .setMaxVolumes(25L)
                .setTopology(Map.of("zone", "z1"))
                .build());
  }

  @Test
  void aPluginWithoutConfiguredIdIsPublishedUnderItsName() {
    PluginEndpoint endpoint = endpoint(PluginRole.CONTROLLER, Optional.empty());

    look(watch(endpoint));

    assertThat(published).containsExactly(controller().build());
    assertThat(endpoint.plugin()).contains("ebs");
  }

  @Test
  void aPluginThatHasNeverToldItsNameIsNotPublished() {
    plugin.close();

    look(watch(endpoint(PluginRole.CONTROLLER, Optional.empty())));

    assertThat(published).isEmpty();
  }

  @Test
  void nothingIsPublishedTwiceWithinTheInterval() {
    EndpointWatch watch = watch(endpoint(PluginRole.CONTROLLER, Optional.of("ebs")));
    look(watch);
    clocks.advance(INTERVAL.minusMillis(1));
    look(watch);
    assertThat(published).hasSize(1);

    clocks.advance(Duration.ofMillis(1));
    look(watch);

    assertThat(published)
        .containsExactly(controller().build(), controller().setSeenAt(NOON.plus(INTERVAL)).build());
  }

  @Test
  void reportsGoOnThoughTheClockIsSetBack() {
    EndpointWatch watch = watch(endpoint(PluginRole.CONTROLLER, Optional.of("ebs")));
    look(watch);

    clocks.advance(Duration.ofHours(-1));
    look(watch);
    clocks.advance(INTERVAL);
    look(watch);

    assertThat(published)
        .extracting(PluginInstance::getSeenAt)
        .containsExactly(
            NOON, NOON.minus(Duration.ofHours(1)), NOON.minus(Duration.ofHours(1)).plus(INTERVAL));
  }

  @Test
  void aChangeIsPublishedAtOnceAndWhatWasKnownIsKept() {
    EndpointWatch watch = watch(endpoint(PluginRole.CONTROLLER, Optional.of("ebs")));
    look(watch);

    plugin.probe = ProbeResponse.newBuilder().setReady(BoolValue.of(false)).build();
    look(watch);

    assertThat(published)
        .containsExactly(
            controller().build(),
            controller()
                .setHealth(PluginHealth.UNHEALTHY)
                .setHealthText("the plugin says that it is not ready yet (Probe)")
                .build());
  }

  @Test
  void aPluginThatIsNotThereIsUnhealthy() {
    plugin.close();

    look(watch(endpoint(PluginRole.CONTROLLER, Optional.of("ebs"))));

    assertThat(published).hasSize(1);
    assertThat(published.get(0).getHealth()).isEqualTo(PluginHealth.UNHEALTHY);
    assertThat(published.get(0).getHealthText())
        .startsWith("Probe: the plugin at " + plugin.address() + " cannot be reached (")
        .contains("Connection refused");
  }

  @Test
  void whateverListensThereAndIsNoPluginIsUnhealthy() throws IOException {
    HttpServer web =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    web.start();
    PluginAddress address = new PluginAddress("127.0.0.1:" + web.getAddress().getPort());
    try (PluginEndpoint endpoint = endpoint(PluginRole.CONTROLLER, Optional.of("ebs"), address)) {
      look(watch(endpoint));

      assertThat(published.get(0).getHealth()).isEqualTo(PluginHealth.UNHEALTHY);
      assertThat(published.get(0).getHealthText())
          .startsWith("Probe: whatever listens at " + address + " does not speak gRPC");
    } finally {
      web.stop(0);
    }
  }

  @Test
  void aPluginWhoseAnswersNobodyCanReadIsUnhealthy() throws IOException {
    Server babbler =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(babble())
            .build()
            .start();
    PluginAddress address = new PluginAddress("127.0.0.1:" + babbler.getPort());
    try (PluginEndpoint endpoint = endpoint(PluginRole.CONTROLLER, Optional.of("ebs"), address)) {
      look(watch(endpoint));

      assertThat(published.get(0).getHealth()).isEqualTo(PluginHealth.UNHEALTHY);
      assertThat(published.get(0).getHealthText())
          .startsWith("Probe: the plugin at " + address + " gave an answer that nobody can read (");
    } finally {
      babbler.shutdownNow();
    }
  }

  /** Answers to Probe with bytes that are no message. */
  private static ServerServiceDefinition babble() {
    MethodDescriptor.Marshaller<byte[]> bytes =
        new MethodDescriptor.Marshaller<>() {
          @Override
          public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
          }

          @Override
          public byte[] parse(InputStream stream) {
            return new byte[0];
          }
        };
    MethodDescriptor<byte[], byte[]> probe =
        IdentityGrpc.getProbeMethod().toBuilder(bytes, bytes).build();
    return ServerServiceDefinition.builder(IdentityGrpc.SERVICE_NAME)
        .addMethod(
            probe,
            ServerCalls.asyncUnaryCall(
                (request, answer) -> {
                  answer.onNext(new byte[] {(byte) 0xff, 1, 2});
                  answer.onCompleted();
                }))
        .build();
  }

  @Test
  void reportsDoNotOvertakeEachOther() {
    CompletableFuture<Void> first = new CompletableFuture<>();
    topic.written = first;
    EndpointWatch watch =
        new EndpointWatch(
            endpoint(PluginRole.CONTROLLER, Optional.of("ebs")),
            "w1",
            INTERVAL,
            topic,
            this::takesCalls,
            clocks);
    look(watch);
    plugin.probe = ProbeResponse.newBuilder().setReady(BoolValue.of(false)).build();
    look(watch);
    assertThat(published).hasSize(1);

    first.complete(null);
    look(watch);

    assertThat(published)
        .extracting(PluginInstance::getHealth)
        .containsExactly(PluginHealth.HEALTHY, PluginHealth.UNHEALTHY);
  }

  @Test
  void theInstancesOfARouteThatNobodyElseServesAreTakenBackAtTheEnd() {
    try (Discovery discovery = discovery(route -> false)) {
      discovery.start();
      await().until(() -> published.size() == 1);
    }

    assertThat(published)
        .containsExactly(
            controller().build(), controller().setHealth(PluginHealth.REMOVED).build());
    assertThat(keys).containsExactly("ebs/controller@n1", "ebs/controller@n1");
  }

  @Test
  void theInstancesOfARouteWithOtherWorkersStay() {
    try (Discovery discovery = discovery(route -> true)) {
      discovery.start();
      await().until(() -> published.size() == 1);
    }

    assertThat(published).containsExactly(controller().build());
  }

  @Test
  void aWorkerThatStartsWhileThePluginIsDownKeepsWhatEarlierReportsKnew() {
    topic.earlier =
        Optional.of(instance(PluginRole.NODE).setExternalNode("i-1").setMaxVolumes(25L).build());
    plugin.close();

    look(watch(endpoint(PluginRole.NODE, Optional.of("ebs"))));

    assertThat(published)
        .extracting(
            PluginInstance::getHealth,
            PluginInstance::getExternalNode,
            PluginInstance::getMaxVolumes)
        .containsExactly(tuple(PluginHealth.UNHEALTHY, Optional.of("i-1"), Optional.of(25L)));
  }

  @Test
  void nothingIsSaidOfAPluginWhoseCallsAreNotTaken() {
    takesCalls = false;
    try (Discovery discovery = discovery(route -> false)) {
      discovery.start();
      await().until(() -> plugin.probes.get() > 0);
    }

    assertThat(published).isEmpty();
  }

  @Test
  void aPluginIsReportedWhenItsCallsAreTaken() {
    takesCalls = false;
    try (Discovery discovery = discovery(route -> true)) {
      discovery.start();
      await().until(() -> plugin.probes.get() > 0);

      takesCalls = true;
      discovery.lookSoon();

      await().until(() -> published.size() == 1);
    }
    assertThat(published).containsExactly(controller().build());
  }

  @Test
  void whoeverTakesTheCallsAgainReportsAtOnceForAnotherMayHaveSaidSomethingElse() {
    EndpointWatch watch = watch(endpoint(PluginRole.CONTROLLER, Optional.of("ebs")));
    look(watch);
    takesCalls = false;
    look(watch);
    assertThat(published).hasSize(1);

    takesCalls = true;
    look(watch);

    assertThat(published).containsExactly(controller().build(), controller().build());
  }

  @Test
  void aSocketWhoseCallsAnotherWorkerOfThePoolTakesIsPointedOut() {
    takesCalls = false;
    EndpointWatch watch =
        watch(
            endpoint(
                PluginRole.CONTROLLER,
                Optional.of("ebs"),
                new PluginAddress("unix:///nowhere/csi.sock")));
    look(watch);
    assertThat(watch.left()).as("it may be moving here").isEmpty();

    clocks.advance(INTERVAL);
    look(watch);
    assertThat(watch.left())
        .hasValueSatisfying(
            text -> assertThat(text).contains("calls of ebs", "set plugins.a.route to a name"));

    takesCalls = true;
    look(watch);
    assertThat(watch.left()).isEmpty();
  }

  @Test
  void whoeverDoesNotTakeTheCallsAnyMoreDoesNotTakeTheInstanceBack() {
    EndpointWatch watch = watch(endpoint(PluginRole.CONTROLLER, Optional.of("ebs")));
    look(watch);
    takesCalls = false;
    look(watch);

    watch.end();
    watch.remove().join();

    assertThat(published).containsExactly(controller().build());
  }

  private boolean takesCalls(EndpointConfig endpoint, String id) {
    assertThat(id).isEqualTo("ebs");
    return takesCalls && endpoint.node().equals("n1");
  }

  private Discovery discovery(Function<String, Boolean> servedByOthers) {
    return new Discovery(
        List.of(endpoint(PluginRole.CONTROLLER, Optional.of("ebs"))),
        "w1",
        INTERVAL,
        topic,
        this::takesCalls,
        servedByOthers::apply,
        clocks);
  }

  private EndpointWatch watch(PluginEndpoint endpoint) {
    return new EndpointWatch(endpoint, "w1", INTERVAL, topic, this::takesCalls, clocks);
  }

  private static void look(EndpointWatch watch) {
    watch.look();
  }

  private PluginEndpoint endpoint(PluginRole role, Optional<String> id) {
    return endpoint(role, id, plugin.address());
  }

  private static PluginEndpoint endpoint(
      PluginRole role, Optional<String> id, PluginAddress address) {
    return new PluginEndpoint(
        new EndpointConfig(
            "a", id, role, "n1", "pool", address, Optional.empty(), Optional.empty()),
        PluginConnection.plaintext(address),
        Path.of("/csi"));
  }

  private PluginInstance.Builder controller() {
    return instance(PluginRole.CONTROLLER).setAttach(true).setPublishReadOnly(true);
  }

  private PluginInstance.Builder instance(PluginRole role) {
    return PluginInstance.newBuilder()
        .setPlugin("ebs")
        .setNode("n1")
        .setRole(role)
        .setHealth(PluginHealth.HEALTHY)
        .setVersion("1.2")
        .setRoute("pool")
        .setEndpoint(plugin.address().text())
        .setWorker("w1")
        .setSeenAt(NOON);
  }

  private final class ListedTopic implements PluginTopic {
    private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);
    private Optional<PluginInstance> earlier = Optional.empty();

    @Override
    public CompletableFuture<Void> publish(String key, PluginInstance instance) {
      keys.add(key);
      published.add(instance);
      return written;
    }

    @Override
    public Optional<PluginInstance> last(String key) {
      return earlier;
    }
  }
}
