package dev.berth.streams.query.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.SubmitCommandRequest.CommandCase;
import dev.berth.streams.query.Caller.Role;
import io.grpc.MethodDescriptor;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The table of permissions")
class PermissionsTest {

  @Test
  @DisplayName("has every call of the API: to read, but for commands and what brings its own token")
  void calls() {
    for (MethodDescriptor<?, ?> method : BerthGrpc.getServiceDescriptor().getMethods()) {
      boolean redeem = method.equals(BerthGrpc.getRedeemSessionMethod());
      assertThat(Permissions.isOpen(method)).as(method.getFullMethodName()).isEqualTo(redeem);
      if (redeem) {
        continue;
      }
      boolean command =
          method.equals(BerthGrpc.getSubmitCommandMethod())
              || method.equals(BerthGrpc.getRetryStuckMethod());
      assertThat(Permissions.call(method))
          .as(method.getFullMethodName())
          .contains(command ? Role.OPERATE : Role.READ);
    }
  }

  @Test
  @DisplayName("has every command, and those are the administrator's that Berth takes on trust")
  void commands() {
    Map<CommandCase, Optional<Role>> expected = new EnumMap<>(CommandCase.class);
    for (CommandCase command : CommandCase.values()) {
      expected.put(command, Optional.of(Role.ADMIN));
    }
    EnumSet.of(
            CommandCase.DETACH,
            CommandCase.RETRY,
            CommandCase.COLLECT_GARBAGE,
            CommandCase.PAUSE,
            CommandCase.RESUME)
        .forEach(command -> expected.put(command, Optional.of(Role.OPERATE)));
    expected.put(CommandCase.COMMAND_NOT_SET, Optional.empty());

    Map<CommandCase, Optional<Role>> found = new EnumMap<>(CommandCase.class);
    Arrays.stream(CommandCase.values())
        .forEach(command -> found.put(command, Permissions.command(command)));
    assertThat(found).isEqualTo(expected);
  }

  @Test
  @DisplayName("lets nobody make a call that is not in it")
  void unlisted() {
    MethodDescriptor<?, ?> other =
        BerthGrpc.getListVolumesMethod().toBuilder()
            .setFullMethodName("berth.v1.Berth/DropEverything")
            .build();

    assertThat(Permissions.call(other)).isEmpty();
  }
}
