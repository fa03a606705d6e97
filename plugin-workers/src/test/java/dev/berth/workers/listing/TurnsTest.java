package dev.berth.workers.listing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workers.ManualClocks;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TurnsTest {

  private static final Duration INTERVAL = Duration.ofSeconds(60);
  private static final Set<String> EBS = Set.of("ebs");

  private final ManualClocks clocks = new ManualClocks();
  private double random = 0.5;
  private final Turns turns = new Turns(INTERVAL, () -> random);

  @Test
  void theFirstListingComesWithinTheFirstInterval() {
    assertThat(turns.due(EBS, clocks.read())).isEmpty();

    clocks.advance(Duration.ofSeconds(30));

    assertThat(turns.due(EBS, clocks.read())).isEqualTo(EBS);
  }

  @Test
  void theNextComesAnIntervalLaterGiveOrTakeAFifth() {
    random = 0;
    turns.due(EBS, clocks.read());
    assertThat(turns.due(EBS, clocks.read())).isEqualTo(EBS);

    clocks.advance(Duration.ofSeconds(47));
    assertThat(turns.due(EBS, clocks.read())).isEmpty();
    clocks.advance(Duration.ofSeconds(1));
    random = 1;
    assertThat(turns.due(EBS, clocks.read())).isEqualTo(EBS);

    clocks.advance(Duration.ofSeconds(71));
    assertThat(turns.due(EBS, clocks.read())).isEmpty();
    clocks.advance(Duration.ofSeconds(1));
    assertThat(turns.due(EBS, clocks.read())).isEqualTo(EBS);
  }

  @Test
  void aPluginThatIsNotOursAnyMoreLosesItsTurn() {
    turns.due(EBS, clocks.read());
    turns.due(Set.of(), clocks.read());
    clocks.advance(INTERVAL);

    assertThat(turns.due(EBS, clocks.read())).isEmpty();
  }
}
