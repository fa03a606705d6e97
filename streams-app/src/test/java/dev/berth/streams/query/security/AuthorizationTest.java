package dev.berth.streams.query.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.RedeemSessionRequest;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.SubmitCommandRequest.CommandCase;
import dev.berth.streams.query.Caller.Role;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every call and every command, over a connection, for every role. */
@DisplayName("Authorization")
class AuthorizationTest {
  @TempDir static Path directory;
  private static Secured api;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() throws IOException {
    Path file = directory.resolve("callers.properties");
    StringBuilder callers = new StringBuilder();
    for (Role role : Role.values()) {
      callers.append(Secured.caller(word(role), "hush-" + word(role), word(role), "*"));
    }
    Files.writeString(file, callers.toString());
    api = new Secured(new SecurityConfig(Optional.empty(), Optional.of(file), Optional.empty()));
    channel = api.channel();
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    api.close();
  }

  static Stream<Arguments> calls() {
    Stream<Arguments> methods =
        BerthGrpc.getServiceDescriptor().getMethods().stream()
            .filter(method -> !method.equals(BerthGrpc.getSubmitCommandMethod()))
            .filter(method -> !method.equals(BerthGrpc.getRedeemSessionMethod()))
            .map(
                method ->
                    Arguments.of(
                        method.getBareMethodName(),
                        method,
                        request(method),
                        Permissions.call(method).orElseThrow()));
    Stream<Arguments> commands =
        SubmitCommandRequest.getDescriptor().getOneofs().get(0).getFields().stream()
            .map(
                field ->
                    Arguments.of(
                        "the command " + field.getName(),
                        BerthGrpc.getSubmitCommandMethod(),
                        command(field),
                        Permissions.command(CommandCase.forNumber(field.getNumber()))
                            .orElseThrow()));
    return Stream.concat(methods, commands);
  }

  @ParameterizedTest(name = "{0} needs {3}")
  @MethodSource("calls")
  <Q extends Message> void isWhatTheRoleAllows(
      String name, MethodDescriptor<Q, ?> method, Q request, Role needed) {
    for (Role role : Role.values()) {
      Status status = Secured.call(channel, method, request, "Bearer hush-" + word(role));
      if (role.compareTo(needed) >= 0) {
        assertThat(status).as("%s by %s", name, role).matches(Secured::passed);
      } else {
        boolean command = method.equals(BerthGrpc.getSubmitCommandMethod());
        String what = command && role == Role.READ ? "SubmitCommand" : name;
        Role asked = command && role == Role.READ ? Role.OPERATE : needed;
        assertThat(status.toString()).doesNotContain("hush");
        assertThat(status.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(status.getDescription())
            .isEqualTo(
                "%s needs the role %s, which %s does not have"
                    .formatted(what, word(asked), word(role)));
      }
    }
    for (String nobody : Arrays.asList(null, "Bearer hush-other", "Basic aHVzaDpodXNo")) {
      Status status = Secured.call(channel, method, request, nobody);
      assertThat(status.getCode()).as(name).isEqualTo(Status.Code.UNAUTHENTICATED);
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        " | nothing says who calls: send the header authorization: Bearer TOKEN",
        "Bearer hush-other | the bearer token is not known; use one whose SHA-256 stands in the"
            + " file of api.tokens",
        "Bearer | the header authorization is not understood: send Bearer TOKEN",
        "Basic hush | the header authorization is not understood: send Bearer TOKEN"
      })
  @DisplayName("is refused to whom nobody knows, without repeating what was sent")
  void unknown(String sent, String message) {
    Status status = Secured.list(channel, sent);

    assertThat(status.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(status.getDescription()).isEqualTo(message).doesNotContain("hush");
  }

  @Test
  @DisplayName("lets nobody's redemption of a one-time token pass, and gives nothing for none")
  void redemption() {
    for (String sent : Arrays.asList(null, "Bearer hush-other", "Bearer hush-read")) {
      assertThat(redeem("o." + "x".repeat(43), sent)).matches(Secured::passed);
      for (String none : List.of("", "hush", "s." + "x".repeat(43))) {
        assertThat(redeem(none, sent).getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
      }
    }
  }

  private static Status redeem(String token, String authorization) {
    return Secured.call(
        channel,
        BerthGrpc.getRedeemSessionMethod(),
        RedeemSessionRequest.newBuilder().setOneTimeToken(token).build(),
        authorization);
  }

  @Test
  @DisplayName("takes the scheme in any case")
  void scheme() {
    assertThat(Secured.list(channel, "bearer hush-read")).matches(Secured::passed);
  }

  private static Message request(MethodDescriptor<?, ?> method) {
    return (Message)
        ((MethodDescriptor.PrototypeMarshaller<?>) method.getRequestMarshaller())
            .getMessagePrototype();
  }

  private static SubmitCommandRequest command(FieldDescriptor field) {
    SubmitCommandRequest.Builder request = SubmitCommandRequest.newBuilder();
    return request.setField(field, request.newBuilderForField(field).build()).build();
  }

  private static String word(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }
}
