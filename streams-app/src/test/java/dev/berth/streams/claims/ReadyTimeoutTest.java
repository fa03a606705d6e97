package dev.berth.streams.claims;

import static dev.berth.streams.claims.Ask.owner;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.HoldCode;
import dev.berth.records.RpcCode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The ready timeout")
class ReadyTimeoutTest {
  private static final Duration ALMOST = Duration.ofHours(24).minusMillis(1);

  private final Volumes vA = Volumes.f0("vA");

  @Test
  @DisplayName("rejects a claim that waits for capacity, without any call")
  void waiting() {
    vA.grant(owner("a1", "n1"));
    vA.claim(owner("a2", "n2"));
    vA.drain();
    vA.pass(ALMOST);
    List<String> early = vA.replies();

    vA.pass(Duration.ofMillis(1));

    assertThat(early).isEmpty();
    assertThat(vA.replies()).containsExactly("a2 rejected timeout");
    assertThat(vA.requests()).isEmpty();
    assertThat(vA.table()).containsExactly("a1 n1 write taken");
  }

  @Test
  @DisplayName("rejects a claim whose attach does not come about, and undoes it")
  void attaching() {
    vA.claim(owner("a1", "n1"));
    vA.held("CP vol-a i-1 rw", HoldCode.TIMEOUT, RpcCode.DEADLINE_EXCEEDED, true, false);
    vA.drain();

    vA.pass(Duration.ofHours(24));

    assertThat(vA.replies()).containsExactly("a1 rejected timeout");
    assertThat(vA.requests()).containsExactly("withdraw", "CU vol-a i-1");
    assertThat(vA.table()).containsExactly("a1 n1 write node-detached");
  }

  @Test
  @DisplayName("ends with the grant")
  void granted() {
    vA.grant(owner("a1", "n1"));

    vA.pass(Duration.ofDays(30));

    assertThat(vA.table()).containsExactly("a1 n1 write taken");
    assertThat(vA.nextLook()).isNull();
  }
}
