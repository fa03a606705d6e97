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
import dev.berth.ops.demo.ClaimStory.Answer;
import dev.berth.ops.demo.ClaimStory.ClaimId;
import dev.berth.ops.lives.Life;
import dev.berth.proto.csi.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.time.Instant;
import java.util.ArrayList;
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
    assertThat(DemoCheck.problems(failed(good, "nothing happened for 180 s")))
        .containsExactly("the run ended early: nothing happened for 180 s");
  }

  @Test
  @DisplayName("a claim without answer, or never released, is a problem")
  void claims() {
    assertThat(problems(DemoResults.story(Answer.NONE, 0, 0)))
        .containsExactly("claim of pod-1 on ebs-001 was never answered");
    assertThat(problems(DemoResults.story(Answer.GRANTED, 1, 0)))
        .containsExactly(
            "claim of pod-1 on ebs-001 was granted, taken 1 times and released 0 times");
  }

  @Test
  @DisplayName("a rejection is a problem: the plan has no claim that is to be rejected")
  void rejected() {
    assertThat(problems(DemoResults.story(Answer.REJECTED, 1, 0)))
        .containsExactly(
            "claim of pod-1 on ebs-001 was rejected (VOLUME_NOT_FOUND no such volume), taken 1"
                + " times and released 0 times");
  }

  @Test
  @DisplayName("a claim that was never made, and one that nobody planned, are problems")
  void others() {
    ClaimStory planned = DemoResults.story(Answer.GRANTED, 1, 1);
    ClaimStory other =
        new ClaimStory(
            new ClaimId("pod-2", "ebs-001"),
            planned.askedAt(),
            planned.waited(),
            planned.answer(),
            planned.reason(),
            planned.answeredAt(),
            1,
            1);
    assertThat(DemoCheck.problems(DemoResults.with(List.of(other))))
        .containsExactly(
            "claim of pod-2 on ebs-001 is not in the plan",
            "claim of pod-1 on ebs-001 was never made");
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
            "2 controller calls of plugin ebs were open together, allowed are 1: #1 CU vol-ebs-001"
                + " i-n1 /path -> OK, #2 CU vol-ebs-001 i-n1 /path -> OK",
            "2 controller calls of volume ebs/vol-ebs-001 were open together, allowed are 1: #1 CU"
                + " vol-ebs-001 i-n1 /path -> OK, #2 CU vol-ebs-001 i-n1 /path -> OK");
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
            "detach before unpublish of [/path]: #7 CU vol-ebs-001 i-n1 /path -> OK",
            "a call was never answered: #10 NU vol-ebs-001 @i-n1 /path -> open");
  }

  @Test
  @DisplayName("what is left attached or mounted is a problem")
  void left() {
    Usage usage = new Usage(Mode.SINGLE_NODE_WRITER, false, false);
    ProviderSnapshot provider =
        new ProviderSnapshot(
            List.of(new Volume("vol-ebs-001", Access.SINGLE_NODE)),
            List.of(new ProviderNode("i-n1", 0)),
            List.of(new Attachment("vol-ebs-001", "i-n1", usage, "/dev/xvdba")),
            List.of(new Mount("vol-ebs-001", "i-n1", Optional.empty(), Map.of("/t", usage))));
    assertThat(DemoCheck.problems(DemoResults.with(good.calls(), provider)))
        .containsExactly(
            "volume vol-ebs-001 of plugin ebs is still attached to node i-n1",
            "volume vol-ebs-001 of plugin ebs is still mounted on node i-n1");
  }

  @Test
  @DisplayName("what Berth's own topics still hold, or should not, is a problem")
  void topics() {
    DemoResult.TopicFindings topics =
        new DemoResult.TopicFindings(
            good.topics().stories(),
            4,
            Map.of(),
            List.of("volume v takes one writer and was given to b while a held it"),
            Optional.empty(),
            List.of("trace/v/a"),
            List.of("trace/v/n1"),
            List.of("trace/v/b (TAKEN): no such node"),
            3,
            List.of("plugin ebs still has 1 calls in line, 0 held and 0 out"));
    assertThat(DemoCheck.problems(DemoResults.with(topics)))
        .containsExactly(
            "volume v takes one writer and was given to b while a held it",
            "the claim table still holds trace/v/a",
            "the attachments still hold trace/v/n1",
            "the dead letters hold trace/v/b (TAKEN): no such node",
            "plugin ebs still has 1 calls in line, 0 held and 0 out",
            "3 records were rejected as unreadable");
  }

  @Test
  @DisplayName("fewer kills than were asked for are found, with both numbers")
  void kills() {
    assertThat(DemoCheck.problems(killed(2, 2))).isEmpty();
    assertThat(DemoCheck.problems(killed(2, 0)))
        .containsExactly("only 0 of 2 kills were done: a life ended before its kill");
    assertThat(DemoCheck.problems(killed(5, 4)))
        .containsExactly("only 4 of 5 kills were done: a life ended before its kill");
  }

  @Test
  @DisplayName("of many problems a person is told the first")
  void shortened() {
    assertThat(DemoCheck.shortened(List.of("a", "b"), 2)).containsExactly("a", "b");
    assertThat(DemoCheck.shortened(List.of("a", "b", "c"), 2))
        .containsExactly("a", "b", "and 1 more; -o json names all");
  }

  /** A good run of so many kills, and of one life more that came to its end. */
  static DemoResult killed(int asked, int done) {
    List<LifeStory> lives = new ArrayList<>();
    for (int i = 0; i <= done; i++) {
      Optional<Life.Kill> kill =
          i == done ? Optional.empty() : Optional.of(new Life.Kill(Instant.EPOCH, "", 0, 0));
      lives.add(new LifeStory(new Life(Instant.EPOCH, kill), Optional.empty()));
    }
    DemoResult good = DemoResults.good();
    return new DemoResult(
        good.plan(),
        good.failure(),
        good.calls(),
        good.providers(),
        good.topics(),
        asked,
        lives,
        good.timing());
  }

  static DemoResult failed(DemoResult base, String why) {
    return new DemoResult(
        base.plan(),
        Optional.of(why),
        base.calls(),
        base.providers(),
        base.topics(),
        base.killsAsked(),
        base.lives(),
        base.timing());
  }

  private static List<String> problems(ClaimStory story) {
    return DemoCheck.problems(DemoResults.with(List.of(story)));
  }

  private static List<String> problems(List<Call> calls) {
    return DemoCheck.problems(DemoResults.with(calls, DemoResults.provider()));
  }

  private static void answered(CallLog log, Rpc rpc) {
    long call = log.started(DemoResults.facts(rpc));
    log.affected(call);
    log.ended(call, Status.Code.OK, "");
  }
}
