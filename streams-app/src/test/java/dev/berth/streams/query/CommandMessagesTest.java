package dev.berth.streams.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.proto.api.AccessMode;
import dev.berth.proto.api.AttachmentMode;
import dev.berth.proto.api.Capability;
import dev.berth.proto.api.DetachCommand;
import dev.berth.proto.api.FenceCommand;
import dev.berth.proto.api.RegisterVolumeCommand;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.VolumeRef;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.VolumeSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A command of the API")
class CommandMessagesTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final VolumeRef REF =
      VolumeRef.newBuilder().setNamespace("prod").setVolume("db").build();
  private static final SubmitCommandRequest DETACH =
      SubmitCommandRequest.newBuilder()
          .setReason("moved")
          .setDetach(DetachCommand.newBuilder().setRef(REF).setNode("n1"))
          .build();

  @Test
  @DisplayName("is by whom the caller says on this machine, and by the caller everywhere else")
  void author() {
    SubmitCommandRequest forAnn = DETACH.toBuilder().setAuthor("ann").build();
    Caller ops = new Caller("ops", Set.of(Caller.Role.OPERATE), Set.of("prod"));

    assertThat(command(DETACH, Caller.LOCAL))
        .isEqualTo(
            new Command("c1", "local", "moved", NOW, new Command.DetachVolume("prod", "db", "n1")));
    assertThat(command(forAnn, Caller.LOCAL).by()).isEqualTo("ann");
    assertThat(command(forAnn, ops).by()).isEqualTo("ops (for ann)");
  }

  @Test
  @DisplayName("is refused for a namespace that is not the caller's, and for all of them")
  void namespaces() {
    Caller bob = new Caller("bob", Set.of(Caller.Role.ADMIN), Set.of("test"));
    SubmitCommandRequest fence =
        SubmitCommandRequest.newBuilder()
            .setReason("off")
            .setFence(FenceCommand.newBuilder().setNode("n1"))
            .build();

    assertThatThrownBy(() -> command(DETACH, bob))
        .hasMessage("PERMISSION_DENIED: namespace prod is not among those of bob");
    assertThatThrownBy(() -> command(fence, bob))
        .hasMessage(
            "PERMISSION_DENIED: FenceNode concerns every namespace, and bob does not have them all");
  }

  @Test
  @DisplayName("registers what it says")
  void registers() {
    SubmitCommandRequest register = register("${file:/run/token:key}");

    assertThat(command(register, Caller.LOCAL).body())
        .isEqualTo(
            new Command.RegisterVolume(
                new VolumeSpec(
                    "prod",
                    "db",
                    "ebs",
                    "vol-1",
                    List.of(
                        new VolumeSpec.Capability(
                            dev.berth.records.AccessMode.SINGLE_NODE_WRITER,
                            dev.berth.records.AttachmentMode.FILE_SYSTEM)),
                    Map.of("token", "${file:/run/token:key}"),
                    Map.of(),
                    Map.of(),
                    null,
                    List.of(),
                    List.of())));
  }

  @Test
  @DisplayName("with a secret in plain text is refused before it is written, and not repeated")
  void plainSecret() {
    assertThatThrownBy(() -> command(register("hush-4711"), Caller.LOCAL))
        .hasMessageStartingWith(
            "INVALID_ARGUMENT: secret_references.token is not a reference: never give the secret")
        .hasMessageNotContaining("hush");
  }

  @Test
  @DisplayName("that asks for nothing, or names nothing, is refused with the remedy")
  void incomplete() {
    assertThatThrownBy(() -> command(SubmitCommandRequest.getDefaultInstance(), Caller.LOCAL))
        .hasMessage("INVALID_ARGUMENT: command is not set: say what is asked");
    assertThatThrownBy(
            () ->
                command(
                    DETACH.toBuilder()
                        .setDetach(DetachCommand.newBuilder().setRef(REF).setNode("a/b"))
                        .build(),
                    Caller.LOCAL))
        .hasMessage(
            "INVALID_ARGUMENT: node 'a/b' holds a slash or a control character: take it out");
    assertThatThrownBy(
            () ->
                command(
                    SubmitCommandRequest.newBuilder()
                        .setFence(FenceCommand.newBuilder().setNode("n1"))
                        .build(),
                    Caller.LOCAL))
        .hasMessage(
            "INVALID_ARGUMENT: reason is empty: say why, since this overrides what Berth knows");
  }

  private static SubmitCommandRequest register(String secret) {
    return SubmitCommandRequest.newBuilder()
        .setRegisterVolume(
            RegisterVolumeCommand.newBuilder()
                .setRef(REF)
                .setPlugin("ebs")
                .setExternalId("vol-1")
                .addCapabilities(
                    Capability.newBuilder()
                        .setAccess(AccessMode.ACCESS_MODE_SINGLE_NODE_WRITER)
                        .setAttachment(AttachmentMode.ATTACHMENT_MODE_FILE_SYSTEM))
                .putSecretReferences("token", secret))
        .build();
  }

  private static Command command(SubmitCommandRequest request, Caller caller) {
    return CommandMessages.command(request, "c1", caller, NOW);
  }
}
