package dev.berth.ops.demo;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSnapshot;
import dev.berth.driver.provider.ProviderSpec;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results to check: one alloc on one volume, and what was seen of it when all was right. */
final class DemoResults {

  static final DemoScript SCRIPT = DemoScript.of(new DemoSize(1, 1, 1, 1));
  static final DemoVolume VOLUME = SCRIPT.volumes().get(0);

  private DemoResults() {}

  static DemoResult good() {
    return new DemoResult(
        SCRIPT,
        Optional.empty(),
        List.of(story(ClaimStory.Answer.GRANTED, true)),
        life(),
        Map.of("ebs", provider()),
        topics(Map.of("taken", 1, "released", 1)),
        new DemoResult.Timing(
            Duration.ofMillis(6_100),
            Optional.of(Duration.ofMillis(6_500)),
            Duration.ofSeconds(18),
            Optional.of(400L * 1024)));
  }

  static ClaimStory story(ClaimStory.Answer answer, boolean released) {
    return new ClaimStory(
        "alloc-001", VOLUME, Optional.empty(), answer, Duration.ofMillis(250), released);
  }

  static DemoResult.TopicFindings topics(Map<String, Integer> happenings) {
    return new DemoResult.TopicFindings(happenings, List.of(), List.of(), List.of(), 0);
  }

  static ProviderSnapshot provider() {
    try (Provider provider = Provider.inMemory(ProviderSpec.strict())) {
      provider.createVolume(VOLUME.externalId(), Access.SINGLE_NODE);
      return provider.snapshot();
    }
  }

  /** The six calls of a volume's life on a node, 100 ms each with 100 ms between them. */
  static List<Call> life() {
    ManualClock clock = new ManualClock();
    CallLog log = CallLog.inMemory(clock::now);
    for (Rpc rpc :
        List.of(
            Rpc.CONTROLLER_PUBLISH,
            Rpc.NODE_STAGE,
            Rpc.NODE_PUBLISH,
            Rpc.NODE_UNPUBLISH,
            Rpc.NODE_UNSTAGE,
            Rpc.CONTROLLER_UNPUBLISH)) {
      long call = log.started(facts(rpc));
      log.affected(call);
      clock.pass(Duration.ofMillis(100));
      log.ended(call, Status.Code.OK, "");
      clock.pass(Duration.ofMillis(100));
    }
    return log.calls();
  }

  static CallFacts facts(Rpc rpc) {
    return new CallFacts("ebs", "n1", rpc, VOLUME.externalId(), "i-n1", "/path", false);
  }

  private static final class ManualClock {
    private Instant now = Instant.EPOCH;

    Instant now() {
      return now;
    }

    void pass(Duration time) {
      now = now.plus(time);
    }
  }
}
