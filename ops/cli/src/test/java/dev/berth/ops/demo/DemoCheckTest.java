package dev.berth.ops.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Attachment;
import dev.berth.driver.provider.Mount;
import dev.berth.driver.provider.ProviderNode;
import dev.berth.driver.provider.ProviderSnapshot;
import dev.berth.driver.provider.Usage;
import dev.berth.driver.provider.Volume;
import dev.berth.proto.csi.VolumeCapability.AccessMode.Mode;
import dev.berth.records.ClaimMode;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DemoCheckTest {

  private final DemoResult good = DemoResults.good();

  @Test
  @DisplayName("a run in which all was right has no problems")
  void allRight() {
    assertThat(DemoCheck.problems(good)).isEmpty();
  }

  @Test
  @DisplayName("what ended a run early is a problem")
  void failure() {
    DemoResult failed = failed(good, "claim of a on v: nothing after 120 s");
    assertThat(DemoCheck.problems(failed))
        .containsExactly("the run ended early: claim of a on v: nothing after 120 s");
  }

  @Test
  @DisplayName("a claim without answer, rejected, or never released is a problem")
  void claims() {
    assertThat(problems(DemoResults.story(ClaimStory.Answer.NONE, false)))
        .containsExactly("claim of alloc-001 on ebs-01 was never answered");
    assertThat(problems(DemoResults.story(ClaimStory.Answer.REJECTED, false)))
        .containsExactly("claim of alloc-001 on ebs-01 was rejected");
    assertThat(problems(DemoResults.story(ClaimStory.Answer.GRANTED, false)))
        .containsExactly("claim of alloc-001 on ebs-01 was granted and never released");
  }

  @Test
  @DisplayName("a claim that was never made is a problem")
  void missing() {
    assertThat(DemoCheck.problems(with(List.of(), good.calls(), good.providers())))
        .containsExactly("0 claims were made, the script has 1");
  }

  @Test
  @DisplayName("a writer that should have waited and did not is a problem")
  void noWait() {
    DemoVolume volume = DemoResults.VOLUME;
    DemoUse use = new DemoUse(volume, ClaimMode.WRITE);
    DemoAlloc holder = alloc("alloc-001", use, new DemoStart.AtOnce());
    DemoAlloc next = alloc("alloc-002", use, new DemoStart.BehindHolder("alloc-001"));
    DemoScript script =
        new DemoScript(
            DemoResults.SCRIPT.size(), List.of("n1"), List.of(volume), List.of(holder, next));
    ClaimStory first = DemoResults.story(ClaimStory.Answer.GRANTED, true);
    ClaimStory second =
        new ClaimStory(
            "alloc-002", volume, Optional.empty(), first.answer(), first.untilAnswer(), true);
    DemoResult result =
        new DemoResult(
            script,
            Optional.empty(),
            List.of(first, second),
            good.calls(),
            good.providers(),
            DemoResults.topics(Map.of("taken", 2, "released", 2)),
            good.timing());
    assertThat(DemoCheck.problems(result))
        .containsExactly("claim of alloc-002 on ebs-01 was not told to wait for alloc-001");
  }

  @Test
  @DisplayName("two calls of a lane that are open together are a problem")
  void overlap() {
    CallLog log = CallLog.inMemory(() -> Instant.EPOCH);
    long first = log.started(DemoResults.facts(Rpc.CONTROLLER_UNPUBLISH));
    long second = log.started(DemoResults.facts(Rpc.CONTROLLER_UNPUBLISH));
    log.ended(first, Status.Code.OK, "");
    log.ended(second, Status.Code.OK, "");
    assertThat(problems(log.calls()))
        .containsExactly(
            "2 controller calls of plugin ebs were open together, allowed are 1: #1 CU vol-ebs-01"
                + " i-n1 /path -> OK, #2 CU vol-ebs-01 i-n1 /path -> OK",
            "2 controller calls of volume ebs/vol-ebs-01 were open together, allowed are 1: #1 CU"
                + " vol-ebs-01 i-n1 /path -> OK, #2 CU vol-ebs-01 i-n1 /path -> OK");
  }

  @Test
  @DisplayName("a detach before the unmount, and a call without answer, are problems")
  void orderAndOpenCall() {
    CallLog log = CallLog.inMemory(() -> Instant.EPOCH);
    answered(log, Rpc.CONTROLLER_PUBLISH);
    answered(log, Rpc.NODE_PUBLISH);
    answered(log, Rpc.CONTROLLER_UNPUBLISH);
    var unused = log.started(DemoResults.facts(Rpc.NODE_UNPUBLISH));
    assertThat(problems(log.calls()))
        .containsExactly(
            "detach before unpublish of [/path]: #7 CU vol-ebs-01 i-n1 /path -> OK",
            "a call was never answered: #10 NU vol-ebs-01 @i-n1 /path -> open");
  }

  @Test
  @DisplayName("what is left attached or mounted is a problem")
  void left() {
    Usage usage = new Usage(Mode.SINGLE_NODE_WRITER, false, false);
    ProviderSnapshot provider =
        new ProviderSnapshot(
            List.of(new Volume("vol-ebs-01", Access.SINGLE_NODE)),
            List.of(new ProviderNode("i-n1", 0)),
            List.of(new Attachment("vol-ebs-01", "i-n1", usage, "/dev/xvdba")),
            List.of(new Mount("vol-ebs-01", "i-n1", Optional.empty(), Map.of("/t", usage))));
    assertThat(DemoCheck.problems(with(good.stories(), good.calls(), Map.of("ebs", provider))))
        .containsExactly(
            "volume vol-ebs-01 of plugin ebs is still attached to node i-n1",
            "volume vol-ebs-01 of plugin ebs is still mounted on node i-n1");
  }

  @Test
  @DisplayName("what Berth's own topics still hold, or do not tell, is a problem")
  void topics() {
    DemoResult.TopicFindings topics =
        new DemoResult.TopicFindings(
            Map.of("taken", 2, "released", 1),
            List.of("demo/v/a"),
            List.of("demo/v/n1"),
            List.of("demo/v/b"),
            3);
    DemoResult result =
        new DemoResult(
            good.script(),
            good.failure(),
            good.stories(),
            good.calls(),
            good.providers(),
            topics,
            good.timing());
    assertThat(DemoCheck.problems(result))
        .containsExactly(
            "the claim table still holds demo/v/a",
            "the attachments still hold demo/v/n1",
            "the dead letters hold demo/v/b",
            "3 records were rejected as unreadable",
            "the history has 2 claims taken and 1 released, the script has 1");
  }

  static DemoResult failed(DemoResult base, String why) {
    return new DemoResult(
        base.script(),
        Optional.of(why),
        base.stories(),
        base.calls(),
        base.providers(),
        base.topics(),
        base.timing());
  }

  private List<String> problems(ClaimStory story) {
    return DemoCheck.problems(with(List.of(story), good.calls(), good.providers()));
  }

  private List<String> problems(List<Call> calls) {
    return DemoCheck.problems(with(good.stories(), calls, good.providers()));
  }

  private DemoResult with(
      List<ClaimStory> stories, List<Call> calls, Map<String, ProviderSnapshot> providers) {
    return new DemoResult(
        good.script(), good.failure(), stories, calls, providers, good.topics(), good.timing());
  }

  private static DemoAlloc alloc(String id, DemoUse use, DemoStart start) {
    return new DemoAlloc(id, "n1", List.of(use), start, Duration.ofMillis(100), DemoEnd.COMPLETES);
  }

  private static void answered(CallLog log, Rpc rpc) {
    long call = log.started(DemoResults.facts(rpc));
    log.affected(call);
    log.ended(call, Status.Code.OK, "");
  }
}
