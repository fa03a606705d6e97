package dev.berth.streams.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.rpc.RetryInfo;
import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.ListVolumesRequest;
import dev.berth.proto.api.WatchClaimsRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The API of an instance")
class ApiServerTest {
  private static final ApiConfig ANY_PORT =
      new ApiConfig(new ApiConfig.Address("127.0.0.1", 0), Optional.empty());

  @Test
  @DisplayName("is offered to this machine only while callers are not known")
  void loopbackOnly() {
    ApiConfig everywhere = new ApiConfig(new ApiConfig.Address("0.0.0.0", 0), Optional.empty());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ApiServer(everywhere, ApiSecurity.NONE))
        .withMessage(
            "api.listen=0.0.0.0:0: without security the API would let everybody who reaches it do"
                + " everything; listen on 127.0.0.1, or set api.tokens and api.tls.certificate");
  }

  @Test
  @DisplayName("says that it starts, and when to come back, until it has something to read")
  void starting() {
    try (ApiServer server = new ApiServer(ANY_PORT, ApiSecurity.NONE)) {
      ManagedChannel channel =
          Grpc.newChannelBuilder(server.address(), InsecureChannelCredentials.create()).build();
      BerthGrpc.BerthBlockingStub api = BerthGrpc.newBlockingStub(channel);
      List<ThrowingCallable> calls =
          List.of(
              () -> api.listVolumes(ListVolumesRequest.getDefaultInstance()),
              () -> api.watchClaims(WatchClaimsRequest.getDefaultInstance()).next());

      for (ThrowingCallable call : calls) {
        StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(failure)
            .hasMessage(
                "UNAVAILABLE: instance %s starts; try again in 1000 ms"
                    .formatted(server.address()));
        assertThat(StatusProto.fromThrowable(failure).getDetails(0).is(RetryInfo.class)).isTrue();
      }
      channel.shutdownNow();
    }
  }

  @Test
  @DisplayName("tells the others the address that it is given for them")
  void advertised() {
    ApiConfig behindProxy =
        new ApiConfig(ANY_PORT.listen(), Optional.of(new ApiConfig.Address("berth-1", 7171)));

    try (ApiServer server = new ApiServer(behindProxy, ApiSecurity.NONE)) {
      assertThat(server.address()).isEqualTo("berth-1:7171");
    }
  }
}
