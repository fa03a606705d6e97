package dev.berth.streams.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What one instance asks of another")
class ScopeTest {

  @Test
  @DisplayName("arrives as it was sent")
  void arrives() {
    Scope scope = new Scope(Set.of(0, 11), true, Set.of("a", "b,c d/é"));

    assertThat(read(scope.headers())).containsExactly(scope);
  }

  @Test
  @DisplayName("is nothing when a client asks")
  void client() {
    List<@Nullable Scope> seen = read(new Metadata());

    assertThat(seen).hasSize(1).containsOnlyNulls();
  }

  @Test
  @DisplayName("is refused when its headers are not those of an instance")
  void refused() {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("berth-local-partitions", Metadata.ASCII_STRING_MARSHALLER), "all");

    assertThat(read(headers)).isEmpty();
  }

  /** What the service would see; empty when the call did not come so far. */
  private static List<@Nullable Scope> read(Metadata headers) {
    List<@Nullable Scope> seen = new ArrayList<>();
    Scope.interceptor()
        .interceptCall(
            new Closing(),
            headers,
            (call, heard) -> {
              seen.add(Scope.current());
              return new ServerCall.Listener<>() {};
            });
    return seen;
  }

  private static final class Closing extends ServerCall<String, String> {
    @Override
    public void request(int count) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(String message) {}

    @Override
    public void close(Status status, Metadata trailers) {
      assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<String, String> getMethodDescriptor() {
      throw new UnsupportedOperationException("nobody asks");
    }
  }
}
