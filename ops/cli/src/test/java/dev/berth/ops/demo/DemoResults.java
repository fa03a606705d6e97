package dev.berth.ops.demo;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSnapshot;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.ops.demo.ClaimStory.Answer;
import dev.berth.ops.demo.ClaimStory.ClaimId;
import dev.berth.producers.trace.Trace;
import dev.berth.producers.trace.TraceAlloc;
import dev.berth.producers.trace.TraceEnd;
import dev.berth.producers.trace.TracePlan;
import dev.berth.producers.trace.TraceUse;
import dev.berth.producers.trace.TraceVolume;
import dev.berth.records.AccessMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.JobType;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results to check: one alloc on one volume, and what was seen of it when all was right. */
final class DemoResults {

  static final TraceVolume VOLUME =
      new TraceVolume("ebs-001", "ebs", "vol-ebs-001", AccessMode.SINGLE_NODE_WRITER, false);
  static final TracePlan PLAN =
      new TracePlan(
          new Trace("pods.csv and nodes.csv", "0", List.of(), List.of()),
          List.of("n1"),
          List.of(VOLUME),
          List.of(alloc()),
          List.of(),
          3,
          List.of());
  static final ClaimId CLAIM = new ClaimId("pod-1", VOLUME.id());

  private DemoResults() {}

  static DemoResult good() {
    return with(List.of(story(Answer.GRANTED, 1, 1)));
  }

  /** The same with these claims. */
  static DemoResult with(List<ClaimStory> stories) {
    return with(topics(stories));
  }

  /** The same with other findings on the topics. */
  static DemoResult with(DemoResult.TopicFindings topics) {
    return new DemoResult(
        PLAN, Optional.empty(), life(), Map.of("ebs", provider()), topics, 0, List.of(), timing());
  }

  /** The same with other calls and another state of the provider. */
  static DemoResult with(List<Call> calls, ProviderSnapshot provider) {
    DemoResult good = good();
    return new DemoResult(
        PLAN,
        Optional.empty(),
        calls,
        Map.of("ebs", provider),
        good.topics(),
        0,
        List.of(),
        timing());
  }

  /** A claim that is asked for at the beginning and answered after 250 ms. */
  static ClaimStory story(Answer answer, int taken, int released) {
    return new ClaimStory(
        CLAIM,
        Instant.EPOCH,
        Optional.empty(),
        answer,
        answer == Answer.REJECTED ? "VOLUME_NOT_FOUND no such volume" : "",
        answer == Answer.NONE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(250)),
        taken,
        released);
  }

  static DemoResult.TopicFindings topics(List<ClaimStory> stories) {
    return new DemoResult.TopicFindings(
        stories,
        4,
        Map.of("taken", 1, "released", 1),
        List.of(),
        Optional.of(Instant.EPOCH.plusSeconds(2)),
        List.of(),
        List.of(),
        List.of(),
        0,
        List.of());
  }

  static DemoResult.Timing timing() {
    return new DemoResult.Timing(
        Duration.ofMillis(6_100),
        Optional.of(Duration.ofMillis(6_500)),
        Duration.ofSeconds(18),
        Optional.of(400L * 1024));
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

  private static TraceAlloc alloc() {
    return new TraceAlloc(
        0,
        "pod-1",
        "n1",
        List.of(new TraceUse(VOLUME, ClaimMode.WRITE)),
        "pod",
        JobType.BATCH,
        Duration.ZERO,
        Duration.ofSeconds(1),
        TraceEnd.COMPLETES,
        Optional.empty());
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
