package dev.berth.streams.query.session;

import dev.berth.proto.api.OpenSessionRequest;
import dev.berth.streams.query.Caller;
import dev.berth.streams.query.Caller.Role;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a caller asks for a session: never more than the caller may. Pure. */
final class GrantRequest {

  private GrantRequest() {}

  /**
   * Checks it.
   *
   * @throws StatusRuntimeException INVALID_ARGUMENT for a role that is none; PERMISSION_DENIED for
   *     what is more than the caller's
   */
  static Grant of(OpenSessionRequest request, Caller caller) {
    Role role = role(request.getRole());
    if (!caller.roles().contains(role)) {
      throw denied("role %s is more than %s has".formatted(request.getRole(), caller.name()));
    }
    Set<String> namespaces =
        request.getNamespacesCount() == 0
            ? caller.namespaces()
            : new TreeSet<>(request.getNamespacesList());
    for (String namespace : namespaces) {
      if (!caller.sees(namespace)) {
        throw denied("namespace %s is not among those of %s".formatted(namespace, caller.name()));
      }
    }
    return new Grant(caller.name(), role, namespaces);
  }

  private static Role role(String text) {
    if (text.isEmpty()) {
      return Role.READ;
    }
    return Arrays.stream(Role.values())
        .filter(role -> SessionTable.word(role).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                Status.INVALID_ARGUMENT
                    .withDescription(
                        "role '%s' is none: write %s"
                            .formatted(
                                text,
                                Arrays.stream(Role.values())
                                    .map(SessionTable::word)
                                    .collect(Collectors.joining(", "))))
                    .asRuntimeException());
  }

  private static StatusRuntimeException denied(String why) {
    return Status.PERMISSION_DENIED
        .withDescription(why + ": ask for no more than the caller may")
        .asRuntimeException();
  }
}
