package dev.berth.streams.query.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.embedded.tls.Certificates;
import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.FenceCommand;
import dev.berth.proto.api.ListVolumesRequest;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.streams.query.ApiConfig;
import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.assertj.core.api.Condition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The API over TLS")
class TlsTest {
  private static final Condition<Status> PASSED =
      new Condition<>(Secured::passed, "the answer to a call that was let pass");

  @TempDir static Path directory;
  private static Certificates berth;
  private static Certificates alice;
  private static Certificates stranger;
  private static Path clients;
  private static Path callers;
  private static Path secrets;

  @BeforeAll
  static void makeFiles() throws IOException {
    berth = Certificates.make(directory, "berth");
    alice = Certificates.make(directory, "alice");
    stranger = Certificates.make(directory, "stranger");
    clients =
        Files.writeString(
            directory.resolve("clients.pem"),
            Files.readString(alice.cert())
                + Files.readString(berth.cert())
                + Files.readString(stranger.cert()));
    callers =
        Files.writeString(
            directory.resolve("callers.properties"),
            Secured.caller("bob", "hush-bob", "admin", "*")
                + Secured.caller("instances", "hush-peer", "read", "*")
                + Secured.caller("narrow", "hush-narrow", "read", "prod")
                + "alice.certificate=alice\nalice.roles=read\nalice.namespaces=prod\n");
    secrets =
        Files.writeString(
            directory.resolve("secrets.properties"),
            "peer=hush-peer\nnarrow=hush-narrow\nother=hush-other\n");
  }

  @Test
  @DisplayName("is reached by who trusts its certificate, and only through TLS")
  void tls() throws IOException {
    try (Secured api = new Secured(tls(Optional.empty(), Optional.empty()))) {
      assertThat(answer(api, credentials(berth, null), "Bearer hush-bob")).is(PASSED);
      assertThat(answer(api, credentials(alice, null), "Bearer hush-bob"))
          .as("trusting another")
          .isNot(PASSED);
      ManagedChannel plain = api.channel();
      assertThat(Secured.list(plain, "Bearer hush-bob")).as("without TLS").isNot(PASSED);
      plain.shutdownNow();
    }
  }

  @Test
  @DisplayName("that asks for certificates knows callers by them, unless a token says otherwise")
  void mutual() throws IOException {
    try (Secured api = new Secured(tls(Optional.of(clients), Optional.empty()))) {
      assertThat(answer(api, credentials(berth, alice), null)).is(PASSED);
      ManagedChannel channel = api.channel(credentials(berth, alice));
      SubmitCommandRequest fence =
          SubmitCommandRequest.newBuilder().setFence(FenceCommand.getDefaultInstance()).build();
      assertThat(
              Secured.call(channel, BerthGrpc.getSubmitCommandMethod(), fence, null)
                  .getDescription())
          .isEqualTo("SubmitCommand needs the role operate, which alice does not have");
      assertThat(
              Secured.call(channel, BerthGrpc.getSubmitCommandMethod(), fence, "Bearer hush-bob"))
          .is(PASSED);
      assertThat(Secured.list(channel, "Bearer hush-other").getCode())
          .as("a wrong token is not made good by a certificate")
          .isEqualTo(Status.Code.UNAUTHENTICATED);
      channel.shutdownNow();
    }
  }

  @Test
  @DisplayName("that asks for certificates serves nobody without one that it trusts and knows")
  void mutualRefused() throws IOException {
    try (Secured api = new Secured(tls(Optional.of(clients), Optional.empty()))) {
      Status status = answer(api, credentials(berth, stranger), null);
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(status.getDescription())
          .isEqualTo(
              "the client certificate of CN=stranger is not that of a caller in the file of"
                  + " api.tokens");
      assertThat(answer(api, credentials(berth, null), "Bearer hush-bob"))
          .as("no certificate")
          .isNot(PASSED);
    }
    try (Secured api = new Secured(tls(Optional.of(alice.cert()), Optional.empty()))) {
      assertThat(answer(api, credentials(berth, stranger), "Bearer hush-bob"))
          .as("a certificate that is not trusted")
          .isNot(PASSED);
    }
  }

  @Test
  @DisplayName("is reached by the other instances with their certificate and their token")
  void peers() {
    try (Secured api =
        new Secured(tls(Optional.of(clients), Optional.of("${file:%s:peer}".formatted(secrets))))) {
      ManagedChannel channel = api.channel(api.security().peer());
      BerthGrpc.BerthBlockingStub stub =
          BerthGrpc.newBlockingStub(channel).withCallCredentials(api.security().peerCalls());

      assertThatThrownBy(() -> stub.listVolumes(ListVolumesRequest.getDefaultInstance()))
          .hasMessageContaining(" starts; try again in ");
      channel.shutdownNow();
    }
  }

  @Test
  @DisplayName("is not offered when the token for the other instances would not do")
  void peerToken() {
    refused(
        "other",
        "its token is not in the file of api.tokens; add its SHA-256, with roles=read"
            + " and namespaces=*");
    refused(
        "narrow",
        "it is the token of narrow, who does not see every namespace; set"
            + " narrow.namespaces=*");
    refused(
        "none",
        "it leads to nothing; the providers are file, dir and env, for example"
            + " ${file:/path:key}");
  }

  @Test
  @DisplayName("may be offered to other machines; tokens without TLS may not")
  void otherMachines() {
    ApiConfig everywhere = new ApiConfig(new ApiConfig.Address("0.0.0.0", 0), Optional.empty());
    ApiConfig elsewhere =
        new ApiConfig(
            new ApiConfig.Address("127.0.0.1", 0),
            Optional.of(new ApiConfig.Address("192.0.2.1", 7070)));
    SecurityConfig tokens =
        new SecurityConfig(Optional.empty(), Optional.of(callers), Optional.empty());
    String why =
        ": without TLS everybody on the way could read the tokens; set api.tls.certificate and"
            + " api.tls.key, or use 127.0.0.1";

    assertThat(
            ConfiguredSecurity.of(
                    tls(Optional.empty(), Optional.empty()), everywhere, Clock.systemUTC())
                .secured())
        .isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConfiguredSecurity.of(tokens, everywhere, Clock.systemUTC()))
        .withMessage("api.listen=0.0.0.0:0" + why);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConfiguredSecurity.of(tokens, elsewhere, Clock.systemUTC()))
        .withMessage("api.advertised=192.0.2.1:7070" + why);
  }

  @Test
  @DisplayName("names a file that cannot be used, and the remedy")
  void files() {
    Path none = directory.resolve("none.pem");
    unusable(none, berth.key(), "api.tls.certificate=" + none + ": there is no such file");
    unusable(
        berth.key(), berth.key(), "api.tls.certificate=" + berth.key() + ": holds no certificate");
    unusable(
        berth.cert(),
        berth.cert(),
        "api.tls.key=" + berth.cert() + ": holds no PKCS#8 key without password; make one with:");
  }

  private static void unusable(Path certificate, Path key, String message) {
    SecurityConfig config =
        new SecurityConfig(
            Optional.of(
                new SecurityConfig.Tls(certificate, key, Optional.empty(), Optional.empty())),
            Optional.of(callers),
            Optional.empty());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConfiguredSecurity.of(config, ApiConfig.DEFAULT, Clock.systemUTC()))
        .withMessageStartingWith(message);
  }

  private static void refused(String key, String why) {
    String reference = "${file:%s:%s}".formatted(secrets, key);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ConfiguredSecurity.of(
                    tls(Optional.empty(), Optional.of(reference)),
                    ApiConfig.DEFAULT,
                    Clock.systemUTC()))
        .withMessage("api.peer-token=%s: %s", reference, why)
        .withMessageNotContaining("hush");
  }

  private static SecurityConfig tls(Optional<Path> clientCa, Optional<String> peerToken) {
    return new SecurityConfig(
        Optional.of(
            new SecurityConfig.Tls(berth.cert(), berth.key(), clientCa, Optional.of(berth.cert()))),
        Optional.of(callers),
        peerToken);
  }

  private static ChannelCredentials credentials(
      Certificates trusted, @Nullable Certificates identity) throws IOException {
    TlsChannelCredentials.Builder builder =
        TlsChannelCredentials.newBuilder().trustManager(trusted.cert().toFile());
    if (identity != null) {
      builder.keyManager(identity.cert().toFile(), identity.key().toFile());
    }
    return builder.build();
  }

  private static Status answer(
      Secured api, ChannelCredentials credentials, @Nullable String authorization) {
    ManagedChannel channel = api.channel(credentials);
    try {
      return Secured.list(channel, authorization);
    } finally {
      channel.shutdownNow();
    }
  }
}
