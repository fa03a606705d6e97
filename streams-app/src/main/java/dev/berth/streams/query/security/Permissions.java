package dev.berth.streams.query.security;

import static java.util.Map.entry;

import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.SubmitCommandRequest.CommandCase;
import dev.berth.streams.query.Caller.Role;
import io.grpc.MethodDescriptor;
import java.util.Map;
import java.util.Optional;

/** The one table of which role a call needs. What does not stand in it nobody may do. */
final class Permissions {
  private static final Map<String, Role> CALLS =
      Map.ofEntries(
          entry(name(BerthGrpc.getGetVolumeMethod()), Role.READ),
          entry(name(BerthGrpc.getListVolumesMethod()), Role.READ),
          entry(name(BerthGrpc.getListClaimsMethod()), Role.READ),
          entry(name(BerthGrpc.getListAttachmentsMethod()), Role.READ),
          entry(name(BerthGrpc.getListPluginsMethod()), Role.READ),
          entry(name(BerthGrpc.getListLanesMethod()), Role.READ),
          entry(name(BerthGrpc.getGetCallsMethod()), Role.READ),
          entry(name(BerthGrpc.getListNodesMethod()), Role.READ),
          entry(name(BerthGrpc.getListNodeSlotsMethod()), Role.READ),
          entry(name(BerthGrpc.getListStuckMethod()), Role.READ),
          entry(name(BerthGrpc.getWatchVolumesMethod()), Role.READ),
          entry(name(BerthGrpc.getWatchClaimsMethod()), Role.READ),
          entry(name(BerthGrpc.getWatchAttachmentsMethod()), Role.READ),
          entry(name(BerthGrpc.getWatchPluginsMethod()), Role.READ),
          entry(name(BerthGrpc.getWatchLanesMethod()), Role.READ),
          entry(name(BerthGrpc.getWatchNodesMethod()), Role.READ),
          entry(name(BerthGrpc.getWatchNodeSlotsMethod()), Role.READ),
          entry(name(BerthGrpc.getWatchStuckMethod()), Role.READ),
          entry(name(BerthGrpc.getWhyClaimMethod()), Role.READ),
          // No more than the caller may is handed on: the session's desk sees to it.
          entry(name(BerthGrpc.getOpenSessionMethod()), Role.READ),
          entry(name(BerthGrpc.getCloseSessionMethod()), Role.READ),
          // Sends nothing but this command.
          entry(name(BerthGrpc.getRetryStuckMethod()), Role.OPERATE),
          // The least that any command needs; the command itself is looked up below.
          entry(name(BerthGrpc.getSubmitCommandMethod()), Role.OPERATE));

  private static final Map<CommandCase, Role> COMMANDS =
      Map.ofEntries(
          // No second node can write by it, for the detach is made before anybody else attaches;
          // but
          // a workload that runs there loses the volume, which is an operator's to decide.
          entry(CommandCase.DETACH, Role.OPERATE),
          // Berth itself checks that nothing is lost by these.
          entry(CommandCase.RETRY, Role.OPERATE),
          entry(CommandCase.COLLECT_GARBAGE, Role.OPERATE),
          entry(CommandCase.PAUSE, Role.OPERATE),
          entry(CommandCase.RESUME, Role.OPERATE),
          // Statements that Berth takes on trust: if they are wrong, two nodes write to one volume.
          entry(CommandCase.ASSUME_DETACHED, Role.ADMIN),
          entry(CommandCase.UNBLOCK, Role.ADMIN),
          entry(CommandCase.FENCE, Role.ADMIN),
          entry(CommandCase.UNFENCE, Role.ADMIN),
          // Names a volume of the provider and secrets, which no namespace bounds.
          entry(CommandCase.REGISTER_VOLUME, Role.ADMIN),
          entry(CommandCase.DEREGISTER_VOLUME, Role.ADMIN));

  private Permissions() {}

  /** Whether a call needs no caller: what it is sent says who it is for. */
  static boolean isOpen(MethodDescriptor<?, ?> method) {
    return name(method).equals(name(BerthGrpc.getRedeemSessionMethod()));
  }

  /** Whether a call needs a caller who is there: a session must not give itself another one. */
  static boolean refusesSessions(MethodDescriptor<?, ?> method) {
    return name(method).equals(name(BerthGrpc.getOpenSessionMethod()));
  }

  /**
   * The least role that a call needs.
   *
   * @return empty when nobody may make it
   */
  static Optional<Role> call(MethodDescriptor<?, ?> method) {
    return Optional.ofNullable(CALLS.get(name(method)));
  }

  /**
   * The least role that a command needs.
   *
   * @return empty when nobody may send it
   */
  static Optional<Role> command(CommandCase command) {
    return Optional.ofNullable(COMMANDS.get(command));
  }

  private static String name(MethodDescriptor<?, ?> method) {
    return method.getFullMethodName();
  }
}
