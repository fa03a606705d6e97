package dev.berth.driver;

import static dev.berth.driver.DriverClient.attach;
import static dev.berth.driver.DriverClient.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Attachment;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderNode;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.driver.script.Script;
import io.grpc.Status;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatedDriverTest {

  @TempDir private Path directory;
  private final Provider provider = Provider.inMemory(ProviderSpec.strict());
  private final CallLog log = CallLog.inMemory(InstantSource.system());

  private SimulatedDriver start(DriverSpec spec, Path socket) throws IOException {
    return SimulatedDriver.start(spec, provider, Script.empty(), log, socket);
  }

  @Test
  void onlyItsUserCanConnectAndTheSocketGoesWithTheDriver() throws IOException {
    Path socket = directory.resolve("new/csi.sock");

    try (SimulatedDriver driver = start(DriverSpec.controller("p"), socket)) {
      assertThat(driver.endpoint()).isEqualTo("unix://" + socket);
      assertThat(Files.getPosixFilePermissions(socket))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    assertThat(socket).doesNotExist();
  }

  @Test
  void socketOfADeadProcessIsReplaced() throws IOException {
    Path socket = directory.resolve("csi.sock");
    leaveASocketBehind(socket);
    assertThat(socket).exists();
    provider.createVolume("v", Access.SINGLE_NODE);
    provider.addNode("i-1", 0);

    try (SimulatedDriver driver = start(DriverSpec.controller("p"), socket);
        DriverClient client = new DriverClient(driver)) {
      assertThat(code(() -> client.controller().controllerPublishVolume(attach("v", "i-1"))))
          .isEqualTo(Status.Code.OK);
    }
  }

  private static void leaveASocketBehind(Path socket) throws IOException {
    // Closing a channel of the JDK leaves its file, as a killed process does.
    try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.bind(UnixDomainSocketAddress.of(socket));
    }
  }

  @Test
  void socketInUseIsRefused() throws IOException {
    Path socket = directory.resolve("csi.sock");

    try (SimulatedDriver first = start(DriverSpec.controller("p"), socket)) {
      assertThatThrownBy(() -> start(DriverSpec.controller("p"), socket))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "%s is served by another process; stop that one or name another path", socket);
      assertThat(socket).exists();
      assertThat(first.spec().plugin()).isEqualTo("p");
    }
  }

  @Test
  void fileThatIsNoSocketIsLeftAlone() throws IOException {
    Path file = Files.writeString(directory.resolve("notes.txt"), "precious");

    assertThatThrownBy(() -> start(DriverSpec.controller("p"), file))
        .isInstanceOf(IOException.class)
        .hasMessage("%s exists and is not a socket; name another path or remove it", file);
    assertThat(file).hasContent("precious");
  }

  @Test
  void pathThatIsTooLongIsRefused() {
    Path socket = directory.resolve("x".repeat(120) + ".sock");

    assertThatThrownBy(() -> start(DriverSpec.controller("p"), socket))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("socket path " + socket + " has ")
        .hasMessageEndingWith(" bytes; the system takes 107, use a shorter one");
  }

  @Test
  void servesOnLoopbackToo() throws IOException {
    provider.createVolume("v", Access.SINGLE_NODE);
    provider.addNode("i-1", 0);

    try (SimulatedDriver driver =
            SimulatedDriver.startOnLoopback(
                DriverSpec.controller("p"), provider, Script.empty(), log, 0);
        DriverClient client = new DriverClient(driver)) {
      assertThat(driver.endpoint()).matches("127\\.0\\.0\\.1:[1-9]\\d*");
      assertThat(code(() -> client.controller().controllerPublishVolume(attach("v", "i-1"))))
          .isEqualTo(Status.Code.OK);
    }
  }

  @Test
  void instancesShareTheirProvider() throws IOException {
    provider.createVolume("v", Access.SINGLE_NODE);

    try (SimulatedDriver node =
            start(DriverSpec.node("p", "i-1").withMaxVolumes(3), directory.resolve("n.sock"));
        SimulatedDriver controller =
            start(DriverSpec.controller("p").withInstance("c-1"), directory.resolve("c.sock"));
        DriverClient client = new DriverClient(controller);
        DriverClient nodeClient = new DriverClient(node)) {
      client.controller().controllerPublishVolume(attach("v", "i-1"));
      nodeClient.node().nodeStageVolume(DriverClient.stage("v"));
    }

    assertThat(provider.snapshot().nodes()).containsExactly(new ProviderNode("i-1", 3));
    assertThat(provider.attachments()).extracting(Attachment::node).isEqualTo(List.of("i-1"));
    assertThat(log.calls())
        .extracting(call -> call.facts().instance(), Call::describe)
        .containsExactly(
            tuple("c-1", "#1 CP v i-1 rw -> OK"), tuple("i-1", "#4 NS v @i-1 /stage/v -> OK"));
  }
}
