package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.streams.command.Answer;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.Refusal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PausingTest {
  private final LanesWorld world = new LanesWorld();

  @Test
  void aPausedPluginFinishesItsOpenCallStartsNoOtherAndGoesOnWhenResumed() {
    String open = world.attach("v1", "n1");
    String waiting = world.attach("v2", "n1");
    world.effects();
    pause();
    assertThat(world.held(waiting).hold())
        .extracting("code", "attempts", "nextRetry", "message")
        .containsExactly(
            HoldCode.PLUGIN_PAUSED, 0, null, "plugin ebs was paused by op: maintenance");
    String later = world.detach("v3", "n1");
    assertThat(world.held(later).hold().code()).isEqualTo(HoldCode.PLUGIN_PAUSED);
    String unpublish = world.onNode(CsiCall.NODE_UNPUBLISH, "v4", "n1");
    assertThat(world.held(unpublish).hold().code()).isEqualTo(HoldCode.PLUGIN_PAUSED);
    world.ok(open);
    world.ownerChanged();
    world.advance(Duration.ofHours(1));
    assertThat(world.calls()).isEmpty();

    resume();
    assertThat(world.calls())
        .as("the last turn was an attach's")
        .containsExactly("CU ext-v3 i-1 @n1", "NU ext-v4 @n1");
    world.ok(later);
    assertThat(world.calls()).containsExactly("CP ext-v2 i-1 @n1");
    assertThat(world.row(waiting).budget()).isEqualTo(Budget.NEW);
  }

  @Test
  void aRetryThatFallsDueWhilePausedUsesNoAttempt() {
    String detach = world.detach("v1", "n1");
    world.answer(detach, RpcCode.UNAVAILABLE);
    world.settlements(detach);
    pause();
    assertThat(world.settlements(detach)).isEmpty();
    world.advance(Duration.ofSeconds(1));
    assertThat(world.held(detach).hold())
        .extracting("code", "attempts")
        .containsExactly(HoldCode.PLUGIN_PAUSED, 1);
  }

  @Test
  void aCallThatNeverReachedThePluginWaitsForTheResumeWhenPaused() {
    String detach = world.detach("v1", "n1");
    pause();
    world.unanswered(detach, CallFate.UNREACHED, NotSentReason.NONE, RpcCode.UNAVAILABLE);
    assertThat(world.held(detach).hold())
        .extracting("code", "attempts")
        .containsExactly(HoldCode.PLUGIN_PAUSED, 0);
  }

  @Test
  void anotherPluginGoesOn() {
    world.controller("gce", "n3", true);
    world.effects();
    pause();
    world.enqueue("gce", LanesWorld.call(CsiCall.CONTROLLER_PUBLISH, "g1", "n1"), true);
    assertThat(world.calls()).containsExactly("CP ext-g1 i-1 @n3");
  }

  @Test
  void eachCommandIsAnsweredOnce() {
    pause();
    assertThat(world.answers())
        .containsExactly(
            new Answer(
                "c1",
                "op",
                "maintenance",
                "PausePlugin",
                LanesWorld.EBS,
                null,
                "plugin ebs is paused: calls held 0, calls still open 0",
                world.now()));
    pause();
    resume();
    resume();
    assertThat(world.answers())
        .extracting(Answer::command, Answer::refusal)
        .containsExactly(
            tuple("PausePlugin", Refusal.NO_CHANGE),
            tuple("ResumePlugin", null),
            tuple("ResumePlugin", Refusal.NO_CHANGE));
  }

  @Test
  void aPluginThatNobodyHasHeardOfIsNotPaused() {
    world.command(new Command.PausePlugin("ebss"));
    assertThat(world.answers()).extracting(Answer::refusal).containsExactly(Refusal.NOT_FOUND);
  }

  @Test
  void thePauseIsShown() {
    pause();
    assertThat(world.status())
        .extracting("paused", "pausedBy")
        .containsExactly(true, "op: maintenance");
  }

  private void pause() {
    world.command(new Command.PausePlugin(LanesWorld.EBS));
  }

  private void resume() {
    world.command(new Command.ResumePlugin(LanesWorld.EBS));
  }
}
