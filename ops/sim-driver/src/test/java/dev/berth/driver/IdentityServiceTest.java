package dev.berth.driver;

import static dev.berth.driver.DriverClient.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.BoolValue;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.script.Rule;
import dev.berth.proto.csi.GetPluginCapabilitiesRequest;
import dev.berth.proto.csi.GetPluginInfoRequest;
import dev.berth.proto.csi.GetPluginInfoResponse;
import dev.berth.proto.csi.PluginCapability;
import dev.berth.proto.csi.ProbeRequest;
import dev.berth.proto.csi.ProbeResponse;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityServiceTest {

  @TempDir private Path directory;
  private DriverFixture fixture;

  @BeforeEach
  void start() throws IOException {
    fixture = DriverFixture.start(DriverSpec.node(DriverFixture.PLUGIN, "i-1"), directory);
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void namesThePlugin() {
    assertThat(fixture.client.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance()))
        .isEqualTo(
            GetPluginInfoResponse.newBuilder()
                .setName("ebs.example.com")
                .setVendorVersion("1.0.0")
                .build());
  }

  @Test
  void nodeInstanceOfAPluginWithAControllerSaysThatThereIsOne() {
    assertThat(
            fixture
                .client
                .identity()
                .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList())
        .extracting(capability -> capability.getService().getType())
        .containsExactly(PluginCapability.Service.Type.CONTROLLER_SERVICE);
  }

  @Test
  void probeIsReadyUnlessTheScriptSaysOtherwise() {
    fixture.script.add(Rule.on(Rpc.PROBE).call(1).notReady());
    fixture.script.add(
        Rule.on(Rpc.PROBE).call(2).fail(Status.Code.FAILED_PRECONDITION, "no credentials"));

    assertThat(probe()).isEqualTo(ready(false));
    assertThat(refusal(this::probe)).isEqualTo("FAILED_PRECONDITION: no credentials");
    assertThat(probe()).isEqualTo(ready(true));
  }

  private ProbeResponse probe() {
    return fixture.client.identity().probe(ProbeRequest.getDefaultInstance());
  }

  private static ProbeResponse ready(boolean ready) {
    return ProbeResponse.newBuilder().setReady(BoolValue.of(ready)).build();
  }
}
