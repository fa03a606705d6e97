package dev.berth.streams.query.security;

import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.streams.query.Caller;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.Locale;
import java.util.Optional;

/** Looks at the command that is sent, before anybody carries it out. */
final class CommandRoleCheck<Q, R> extends SimpleForwardingServerCallListener<Q> {
  private final ServerCall<Q, R> call;
  private final Caller caller;
  private boolean refused;

  CommandRoleCheck(ServerCall<Q, R> call, Caller caller, ServerCall.Listener<Q> next) {
    super(next);
    this.call = call;
    this.caller = caller;
  }

  @Override
  public void onMessage(Q message) {
    Optional<Status> denied = Optional.empty();
    if (message instanceof SubmitCommandRequest request
        && request.getCommandCase() != SubmitCommandRequest.CommandCase.COMMAND_NOT_SET) {
      // Without a command the desk says what is missing.
      SubmitCommandRequest.CommandCase command = request.getCommandCase();
      denied =
          CallerCheck.denied(
              Permissions.command(command),
              caller,
              "the command " + command.name().toLowerCase(Locale.ROOT));
    }
    if (denied.isEmpty()) {
      super.onMessage(message);
    } else if (!refused) {
      refused = true;
      call.close(denied.get(), new Metadata());
    }
  }

  @Override
  public void onHalfClose() {
    // It is what sets the method going.
    if (!refused) {
      super.onHalfClose();
    }
  }
}
