package dev.berth.workers.discovery;

import com.google.protobuf.Message;
import dev.berth.proto.csi.ControllerGetCapabilitiesRequest;
import dev.berth.proto.csi.ControllerGrpc;
import dev.berth.proto.csi.GetPluginCapabilitiesRequest;
import dev.berth.proto.csi.GetPluginInfoRequest;
import dev.berth.proto.csi.GetPluginInfoResponse;
import dev.berth.proto.csi.IdentityGrpc;
import dev.berth.proto.csi.NodeGetCapabilitiesRequest;
import dev.berth.proto.csi.NodeGetInfoRequest;
import dev.berth.proto.csi.NodeGetInfoResponse;
import dev.berth.proto.csi.NodeGrpc;
import dev.berth.proto.csi.ProbeRequest;
import dev.berth.records.PluginRole;
import dev.berth.workers.csi.PluginEndpoint;
import dev.berth.workers.csi.PluginTrouble;
import dev.berth.workers.discovery.Finding.Abilities;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Looks at a plugin: asks it in turn who it is, whether it is ready, and what it can do. */
final class PluginProbe {

  /** A cold plugin may take seconds for its first answer. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final PluginEndpoint endpoint;
  private final Channel channel;

  private PluginProbe(PluginEndpoint endpoint) {
    this.endpoint = endpoint;
    this.channel = endpoint.connection().channel();
  }

  static Finding look(PluginEndpoint endpoint) {
    try {
      return new PluginProbe(endpoint).look();
    } catch (Unwell e) {
      return new Finding.Ill(e.text);
    }
  }

  private Finding look() throws Unwell {
    require(
        PluginTrouble.of(ask(IdentityGrpc.getProbeMethod(), ProbeRequest.getDefaultInstance())));
    GetPluginInfoResponse info =
        ask(IdentityGrpc.getGetPluginInfoMethod(), GetPluginInfoRequest.getDefaultInstance());
    require(Reading.problem(info));
    require(
        Reading.problem(
            endpoint.config().role(),
            ask(
                IdentityGrpc.getGetPluginCapabilitiesMethod(),
                GetPluginCapabilitiesRequest.getDefaultInstance())));
    Abilities abilities = endpoint.config().role() == PluginRole.CONTROLLER ? controller() : node();
    return new Finding.Well(info.getName(), info.getVendorVersion(), abilities);
  }

  private Abilities controller() throws Unwell {
    return Reading.abilities(
        ask(
            ControllerGrpc.getControllerGetCapabilitiesMethod(),
            ControllerGetCapabilitiesRequest.getDefaultInstance()));
  }

  private Abilities node() throws Unwell {
    NodeGetInfoResponse info =
        ask(NodeGrpc.getNodeGetInfoMethod(), NodeGetInfoRequest.getDefaultInstance());
    require(Reading.problem(info));
    return Reading.abilities(
        info,
        ask(
            NodeGrpc.getNodeGetCapabilitiesMethod(),
            NodeGetCapabilitiesRequest.getDefaultInstance()));
  }

  private <Q extends Message, A extends Message> A ask(MethodDescriptor<Q, A> method, Q request)
      throws Unwell {
    try {
      CallOptions options =
          CallOptions.DEFAULT.withDeadlineAfter(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      return ClientCalls.blockingUnaryCall(channel, method, options, request);
    } catch (StatusRuntimeException e) {
      String rpc = String.valueOf(method.getBareMethodName());
      String address = endpoint.connection().address().text();
      throw new Unwell(PluginTrouble.of(rpc, address, e.getStatus(), LIMIT));
    }
  }

  private static void require(Optional<String> problem) throws Unwell {
    if (problem.isPresent()) {
      throw new Unwell(problem.get());
    }
  }

  /** Ends a look early; never leaves this class. */
  private static final class Unwell extends Exception {
    private final String text;

    Unwell(String text) {
      super(text, null, false, false);
      this.text = text;
    }
  }
}
