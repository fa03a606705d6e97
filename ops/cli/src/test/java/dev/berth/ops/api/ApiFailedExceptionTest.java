package dev.berth.ops.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.streams.query.ApiConfig.Address;
import io.grpc.Status;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A call that is not answered")
class ApiFailedExceptionTest {
  private static final ApiTarget TARGET = ApiTarget.plain(Address.parse("api", "nowhere:7070"));

  @Test
  @DisplayName("because nobody knows the host says so, and nothing of TLS")
  void host() {
    assertThat(message(new UnknownHostException("nowhere: Name or service not known")))
        .isEqualTo(
            "no answer from the API at nowhere:7070: no such host; correct the host: --api HOST:PORT"
                + " names it");
  }

  @Test
  @DisplayName("because nobody listens says how to start or name an instance")
  void nobody() {
    assertThat(message(new ConnectException("finishConnect(..) failed with error(-111)")))
        .startsWith(
            "no answer from the API at nowhere:7070: Connection refused; is an instance running");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          finishConnect(..) failed with error(-111): Connection refused | Connection refused
          connect(..) failed with error(-113): No route to host | No route to host
          finishConnect(..) failed with error(-110) | Connection timed out
          finishConnect(..) failed with error(-9999) | finishConnect(..) failed with error(-9999)
          io exception | io exception
          """)
  @DisplayName("is told without the system call")
  void calls(String message, String said) {
    assertThat(ApiFailedException.inWords(message)).isEqualTo(said);
  }

  private static String message(Throwable cause) {
    return String.valueOf(
        ApiFailedException.of(
                Status.UNAVAILABLE
                    .withDescription("io exception")
                    .withCause(cause)
                    .asRuntimeException(),
                TARGET,
                Duration.ofSeconds(10))
            .getMessage());
  }
}
