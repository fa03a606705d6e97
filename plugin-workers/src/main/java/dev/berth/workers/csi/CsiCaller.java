package dev.berth.workers.csi;

import dev.berth.proto.csi.ControllerGrpc;
import dev.berth.records.Call;
import dev.berth.records.NotSentReason;
import dev.berth.records.PluginRole;
import dev.berth.records.RpcCode;
import dev.berth.records.Work;
import dev.berth.workers.accept.Accepted;
import dev.berth.workers.call.CallCheck;
import dev.berth.workers.call.CallResult;
import dev.berth.workers.call.LastCheck;
import dev.berth.workers.call.LateSends;
import dev.berth.workers.call.PluginCaller;
import dev.berth.workers.config.PluginRoles;
import dev.berth.workers.secrets.MissingSecrets;
import dev.berth.workers.secrets.SecretResolution;
import dev.berth.workers.secrets.SecretSource;
import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import io.grpc.Channel;
import io.grpc.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Makes the calls of accepted attempts to the plugins this worker is configured for.
 *
 * <p>Whatever takes time comes first (secrets, the connection, Probe); then the time allowed is
 * checked, and the next thing is the send.
 */
public final class CsiCaller implements PluginCaller {

  /**
   * Longer than a healthy plugin takes to accept a connection and to say that it is ready; the next
   * instance waits for it.
   */
  private static final Duration CONNECT = Duration.ofSeconds(10);

  /** After a wait of this length it is looked again whether the node is still the same. */
  private static final Duration MUCH_MAY_HAPPEN = Duration.ofSeconds(1);

  private final PluginEndpoints endpoints;
  private final SecretSource secrets;
  private final MissingSecrets missing;
  private final IncarnationCheck incarnations;
  private final LateSends lateSends;
  private final Clocks clocks;
  private final MountDirectories directories = new MountDirectories();

  /**
   * @param endpoints where plugins are
   * @param secrets where secret values are
   * @param missing told which of them were not there
   * @param incarnations which node work is refused
   * @param lateSends told of what left too late all the same
   * @param clocks clocks of the process
   */
  public CsiCaller(
      PluginEndpoints endpoints,
      SecretSource secrets,
      MissingSecrets missing,
      IncarnationCheck incarnations,
      LateSends lateSends,
      Clocks clocks) {
    this.endpoints = endpoints;
    this.secrets = secrets;
    this.missing = missing;
    this.incarnations = incarnations;
    this.lateSends = lateSends;
    this.clocks = clocks;
  }

  @Override
  public CallResult call(Accepted accepted, Call call) {
    Work work = accepted.work();
    lateSends.expect(work.getPlugin());
    Moment asked = clocks.read();
    PluginRole role = PluginRoles.serving(call.getRpc());
    Optional<CallResult.NotSent> late = lateForItsNode(work, role);
    if (late.isPresent()) {
      return late.get();
    }
    Optional<PluginEndpoint> endpoint =
        endpoints.find(work.getPlugin(), role, work.getInstanceNode());
    if (endpoint.isEmpty()) {
      return noPlugin(
          "worker %s serves no %s of plugin %s on node %s; configure its endpoint or its route"
              .formatted(
                  accepted.acceptance().getWorker(),
                  role,
                  work.getPlugin(),
                  work.getInstanceNode()));
    }
    Optional<CallResult.NotSent> refusal = CallCheck.refusal(call);
    return refusal.isPresent() ? refusal.get() : call(accepted, call, endpoint.get(), asked);
  }

  private Optional<CallResult.NotSent> lateForItsNode(Work work, PluginRole role) {
    return role == PluginRole.NODE
        ? incarnations
            .refusal(work.getInstanceNode(), work.getNodeIncarnation())
            .map(why -> new CallResult.NotSent(NotSentReason.INCARNATION, why))
        : Optional.empty();
  }

  private CallResult call(Accepted accepted, Call call, PluginEndpoint endpoint, Moment asked) {
    SecretResolution resolution = SecretResolution.of(call, secrets);
    if (resolution instanceof SecretResolution.Refused refused) {
      missing.missed(accepted.work().getPlugin(), refused.missing(), clocks.read());
      return new CallResult.NotSent(refused.reason(), refused.message());
    }
    SecretResolution.Resolved resolved = (SecretResolution.Resolved) resolution;
    MountPaths paths = endpoint.paths(accepted.work().getPlugin());
    PreparedCall<?, ?> prepared = CsiRequests.prepare(call, resolved, paths);
    Optional<String> tooLarge = RequestSizes.problem(prepared.request());
    if (tooLarge.isPresent()) {
      return new CallResult.NotSent(
          NotSentReason.INVALID,
          UnaryCall.shorten(
              resolved
                  .redaction()
                  .text(
                      "%s of volume %s/%s: %s"
                          .formatted(
                              call.getRpc(),
                              call.getNamespace(),
                              call.getVolume(),
                              tooLarge.get()))));
    }
    try {
      return directories.around(
          call, paths, () -> send(accepted, call, prepared, resolved, endpoint, asked));
    } catch (IOException e) {
      return noPlugin("cannot make the directory of the mount: " + e);
    }
  }

  private CallResult send(
      Accepted accepted,
      Call call,
      PreparedCall<?, ?> prepared,
      SecretResolution.Resolved resolved,
      PluginEndpoint endpoint,
      Moment asked) {
    Moment before = clocks.read();
    Optional<CallResult.NotSent> tooLate = LastCheck.refusal(accepted.time(), before);
    if (tooLate.isPresent()) {
      return tooLate.get();
    }
    Reach reach = reach(endpoint, accepted.time().left(before));
    if (reach instanceof Reach.Not not) {
      endpoint.unreached();
      return new CallResult.Unreached(UnaryCall.shorten(not.why()));
    }
    Channel channel = TraceMetadata.on(((Reach.Ready) reach).channel(), accepted.trace(call));
    if (clocks.read().since(asked).compareTo(MUCH_MAY_HAPPEN) > 0) {
      // The plugin or a secret was waited for; its node may have been given up and come back since.
      Optional<CallResult.NotSent> late = lateForItsNode(accepted.work(), endpoint.config().role());
      if (late.isPresent()) {
        return late.get();
      }
    }
    // Begun before the check: gRPC looks at it once more, and after a stop it finds it passed.
    Deadline deadline = in(accepted.time().left(clocks.read()));
    Moment now = clocks.read();
    tooLate = LastCheck.refusal(accepted.time(), now);
    if (tooLate.isPresent()) {
      return tooLate.get();
    }
    // A stop between the clock and the deadline would have prolonged the first of the two.
    deadline = deadline.minimum(in(accepted.time().left(now)));
    SendTrace sent = new SendTrace(clocks);
    CallResult result = UnaryCall.send(channel, prepared, deadline, resolved.redaction(), sent);
    sent.handedOver()
        .flatMap(moment -> LastCheck.lateness(accepted.time(), moment))
        .ifPresent(by -> lateSends.late(accepted, call, by));
    boolean detach = prepared.method() == ControllerGrpc.getControllerUnpublishVolumeMethod();
    return detach
            && result instanceof CallResult.Answered answered
            && answered.code() == RpcCode.UNIMPLEMENTED
        ? AttachCapability.askedAfter(answered, channel, accepted.time().left(clocks.read()))
        : result;
  }

  private static Deadline in(Duration left) {
    return Deadline.after(left.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static Reach reach(PluginEndpoint endpoint, Duration left) {
    // A node has one plugin instance: there is no next one to turn to, so its start is waited for.
    boolean persist = endpoint.config().role() == PluginRole.NODE;
    Duration patience = persist || left.compareTo(CONNECT) < 0 ? left : CONNECT;
    return endpoint.reach(patience, persist);
  }

  private static CallResult.NotSent noPlugin(String message) {
    return new CallResult.NotSent(NotSentReason.NO_PLUGIN, message);
  }
}
