package dev.berth.ops.topics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.schemas.topics.Difference;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What differs in the same way")
class SameDifferenceTest {

  @Test
  @DisplayName("is said once, with how many topics it is of and the remedy for each")
  void folded() {
    List<SameDifference> folded =
        SameDifference.fold(
            List.of(
                copies("berth.a"),
                retention("berth.a"),
                copies("berth.b"),
                copies("berth.c"),
                copies("berth.d")));
    assertThat(folded)
        .extracting(SameDifference::text)
        .containsExactly(
            "4 topics (berth.a, berth.b, berth.c, ...): replication.factor is 1, expected 3",
            "berth.a: retention.ms is 2, expected 1");
    assertThat(folded)
        .extracting(SameDifference::remedy)
        .containsExactly("reassign --topic TOPIC", "alter berth.a");
    assertThat(folded).extracting(SameDifference::blocking).containsExactly(false, true);
  }

  private static Difference copies(String topic) {
    return new Difference(
        topic, "replication.factor", "3", "1", false, "reassign --topic " + topic);
  }

  private static Difference retention(String topic) {
    return new Difference(topic, "retention.ms", "1", "2", true, "alter " + topic);
  }
}
