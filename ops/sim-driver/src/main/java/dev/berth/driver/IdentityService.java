package dev.berth.driver;

import com.google.protobuf.BoolValue;
import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Admission;
import dev.berth.driver.script.Latency;
import dev.berth.proto.csi.GetPluginCapabilitiesRequest;
import dev.berth.proto.csi.GetPluginCapabilitiesResponse;
import dev.berth.proto.csi.GetPluginInfoRequest;
import dev.berth.proto.csi.GetPluginInfoResponse;
import dev.berth.proto.csi.IdentityGrpc;
import dev.berth.proto.csi.PluginCapability;
import dev.berth.proto.csi.ProbeRequest;
import dev.berth.proto.csi.ProbeResponse;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** Says who the plugin is. */
final class IdentityService extends IdentityGrpc.IdentityImplBase {

  private final DriverSpec spec;
  private final CallRunner runner;

  IdentityService(DriverSpec spec, CallRunner runner) {
    this.spec = spec;
    this.runner = runner;
  }

  @Override
  public void getPluginInfo(
      GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> caller) {
    GetPluginInfoResponse reply =
        GetPluginInfoResponse.newBuilder()
            .setName(spec.plugin())
            .setVendorVersion(spec.version())
            .build();
    runner.run(facts(Rpc.GET_PLUGIN_INFO), Latency.none(), Work.answer(reply), caller);
  }

  @Override
  public void getPluginCapabilities(
      GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> caller) {
    GetPluginCapabilitiesResponse.Builder reply = GetPluginCapabilitiesResponse.newBuilder();
    if (spec.features().controller()) {
      reply
          .addCapabilitiesBuilder()
          .getServiceBuilder()
          .setType(PluginCapability.Service.Type.CONTROLLER_SERVICE);
    }
    runner.run(
        facts(Rpc.GET_PLUGIN_CAPABILITIES), Latency.none(), Work.answer(reply.build()), caller);
  }

  @Override
  public void probe(ProbeRequest request, StreamObserver<ProbeResponse> caller) {
    Work<ProbeResponse> work =
        new Work<>(
            Admission::free, () -> new Work.Outcome.Done<>(ready(true)), Optional.of(ready(false)));
    runner.run(facts(Rpc.PROBE), Latency.none(), work, caller);
  }

  private static ProbeResponse ready(boolean ready) {
    return ProbeResponse.newBuilder().setReady(BoolValue.of(ready)).build();
  }

  private CallFacts facts(Rpc rpc) {
    return CallFacts.of(spec.plugin(), spec.instance(), rpc);
  }
}
