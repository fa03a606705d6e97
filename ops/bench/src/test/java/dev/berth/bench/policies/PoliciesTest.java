package dev.berth.bench.policies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each model does what its page says, in trials small enough to follow by hand. */
class PoliciesTest {
  private static final long MINUTE = 60_000;

  static Stream<String> policies() {
    return PoliciesBench.names().stream();
  }

  static Stream<String> berths() {
    return policies().filter(policy -> policy.startsWith("berth"));
  }

  @ParameterizedTest
  @MethodSource("policies")
  @DisplayName("an exclusive volume goes from one node to the next, and everybody gets it")
  void moves(String policy) {
    List<Use> uses = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      uses.add(use("a" + i, "v", "n" + i % 3, true, i + 1, i + 3));
    }

    Tally.Result result = run(policy, uses, List.of());

    assertThat(result.waits()).hasSize(6);
    assertThat(List.of(result.never(), result.volumeOverlaps(), result.premature()))
        .containsExactly(0, 0, 0);
  }

  @ParameterizedTest
  @MethodSource("policies")
  @DisplayName("the same trial gives the same result")
  void repeatable(String policy) {
    Trial trial = PolicyTrials.ofSample().trial(0.9, 3);
    Policy.Maker maker = maker(policy);

    assertThat(World.run(trial, maker)).isEqualTo(World.run(trial, maker));
  }

  @ParameterizedTest
  @MethodSource("berths")
  @DisplayName(
      "Berth detaches from a dead node when it is fenced, and never from one that may write")
  void nodeLoss(String policy) {
    List<Use> uses =
        List.of(
            use("dying", "v", "n1", true, 1, 30),
            use("cut-off", "w", "n2", true, 1, 30),
            use("after-dying", "v", "n3", true, 2, 40),
            use("after-cut-off", "w", "n3", true, 5, 40));
    List<Outage> outages =
        List.of(
            new Outage("n1", 3 * MINUTE, 33 * MINUTE, true),
            new Outage("n2", 3 * MINUTE, 20 * MINUTE, false));

    Tally.Result result = run(policy, uses, outages);

    assertThat(result.premature()).isZero();
    assertThat(result.never()).isZero();
    // Fenced five minutes after contact was lost: the longest wait, from that loss.
    assertThat(result.waited(100)).isBetween(300.0, 315.0);
  }

  @Test
  @DisplayName("a timer detaches from a node that is only cut off")
  void premature() {
    List<Use> uses =
        List.of(use("cut-off", "w", "n2", true, 1, 30), use("next", "w", "n3", true, 5, 40));
    List<Outage> outages = List.of(new Outage("n2", 3 * MINUTE, 20 * MINUTE, false));

    assertThat(run("nomad", uses, outages).premature()).isEqualTo(1);
    assertThat(run("kubernetes", uses, outages).premature()).isEqualTo(1);
    assertThat(run("swarm", uses, outages).premature()).isZero();
  }

  @Test
  @DisplayName("only who sends calls for one node together has overlaps on a host")
  void hostOverlaps() {
    List<Use> uses = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      uses.add(use("a" + i, "v" + i, "n1", true, 1, 10));
    }

    assertThat(
            PoliciesBench.names().stream()
                .filter(it -> run(it, uses, List.of()).hostOverlaps() > 0))
        .containsExactly("kubernetes");
  }

  private static Tally.Result run(String policy, List<Use> uses, List<Outage> outages) {
    return World.run(
        new Trial(uses, outages, List.of("n0", "n1", "n2", "n3"), 7, 600 * MINUTE), maker(policy));
  }

  private static Policy.Maker maker(String policy) {
    return PoliciesBench.POLICIES.get(policy);
  }

  private static Use use(
      String id, String volume, String node, boolean exclusive, long fromMinute, long toMinute) {
    return new Use(id, volume, "ebs", node, exclusive, fromMinute * MINUTE, toMinute * MINUTE);
  }
}
