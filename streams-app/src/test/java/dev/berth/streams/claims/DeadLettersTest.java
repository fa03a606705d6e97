package dev.berth.streams.claims;

import static dev.berth.records.HoldCode.CONTROLLER_ERROR;
import static dev.berth.records.RpcCode.INTERNAL;
import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.sharer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import dev.berth.streams.command.Command;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A dead letter")
class DeadLettersTest {
  private static final String DETACH = "CU vol-a i-2";
  private static final Command.Body RETRY = new Command.RetryVolume("default", "vA", null);

  private static final Command.Body RETRY_SHARED = new Command.RetryVolume("default", "vX", null);

  private final Volumes vA = Volumes.f0("vA");

  @Test
  @DisplayName("is written once, when the budget of a step is used up")
  void once() {
    detaching();
    vA.held(DETACH, CONTROLLER_ERROR, INTERNAL, true, false);
    List<String> early = vA.deadLetters();
    vA.held(DETACH, CONTROLLER_ERROR, INTERNAL, true, true);
    List<String> letters = vA.deadLetters();

    vA.held(DETACH, CONTROLLER_ERROR, INTERNAL, true, true);

    assertThat(early).isEmpty();
    assertThat(letters).containsExactly("a1 controller-error at controller-unpublish");
    assertThat(vA.deadLetters()).isEmpty();
    assertThat(vA.table()).containsExactly("a1 n2 write node-detached stuck=controller-error");
  }

  @Test
  @DisplayName("is written anew when the reason is another one")
  void otherReason() {
    detaching();
    vA.held(DETACH, CONTROLLER_ERROR, INTERNAL, true, true);
    vA.pass(Duration.ofMinutes(5));
    vA.held(DETACH, HoldCode.NO_CONTROLLER, null, true, true);
    vA.pass(Duration.ofMinutes(5));
    vA.held(DETACH, HoldCode.NO_CONTROLLER, null, true, true);

    assertThat(vA.deadLetters())
        .containsExactly(
            "a1 controller-error at controller-unpublish",
            "a1 no-controller at controller-unpublish");
  }

  @Test
  @DisplayName("keeps its reason while an operator pauses the plugin")
  void paused() {
    detaching();
    vA.held(DETACH, CONTROLLER_ERROR, INTERNAL, true, true);
    vA.held(DETACH, HoldCode.PLUGIN_PAUSED, null, true, true);
    vA.pass(Duration.ofMinutes(5));
    vA.held(DETACH, CONTROLLER_ERROR, INTERNAL, true, true);

    assertThat(vA.deadLetters()).containsExactly("a1 controller-error at controller-unpublish");
  }

  @Test
  @DisplayName("is written for a call that nobody takes as long as a budget of attempts would last")
  void nobodyTakesIt() {
    detaching();
    vA.held(DETACH, HoldCode.NO_WORKER, null, false, false);
    List<String> atOnce = vA.deadLetters();

    vA.pass(Duration.ofMinutes(30));

    assertThat(atOnce).isEmpty();
    assertThat(vA.deadLetters()).containsExactly("a1 no-worker at controller-unpublish");
  }

  @Test
  @DisplayName("is resolved when the step works")
  void resolved() {
    detaching();
    vA.held(DETACH, CONTROLLER_ERROR, INTERNAL, true, true);
    vA.deadLetters();

    vA.ok(DETACH);

    assertThat(vA.deadLetters()).containsExactly("a1 resolved");
  }

  @Test
  @DisplayName("is followed by one more when a new budget is used up too")
  void newBudget() {
    detaching();
    vA.held(DETACH, CONTROLLER_ERROR, INTERNAL, true, true);
    vA.drain();

    vA.command(RETRY);
    List<String> asked = vA.requests();
    vA.held(DETACH, CONTROLLER_ERROR, INTERNAL, true, false);
    vA.held(DETACH, CONTROLLER_ERROR, INTERNAL, true, true);

    assertThat(asked).containsExactly("retry");
    assertThat(vA.deadLetters()).containsExactly("a1 controller-error at controller-unpublish");
  }

  @Test
  @DisplayName("is resolved also when the step works only within a new budget")
  void resolvedWithinNewBudget() {
    detaching();
    vA.held(DETACH, CONTROLLER_ERROR, INTERNAL, true, true);
    vA.command(RETRY);
    vA.held(DETACH, CONTROLLER_ERROR, INTERNAL, true, false);
    vA.drain();

    vA.ok(DETACH);

    assertThat(vA.deadLetters()).containsExactly("a1 resolved");
  }

  @Test
  @DisplayName("is written for a claim that cannot be attached and resolved by its grant")
  void attach() {
    vA.claim(owner("a1", "n2"));
    vA.held("CP vol-a i-2 rw", HoldCode.SECRET_UNAVAILABLE, null, false, true);
    List<String> letters = vA.deadLetters();

    vA.ok("CP vol-a i-2 rw");

    assertThat(letters).containsExactly("a1 secret-unavailable at controller-publish");
    assertThat(vA.deadLetters()).containsExactly("a1 resolved");
    assertThat(vA.table()).containsExactly("a1 n2 write taken");
  }

  @Test
  @DisplayName("is written for every claim that waits for the one detach")
  void everyClaim() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n2"), sharer("a2", "n2"));
    vX.ends("a1");
    vX.unmounted("a1");
    vX.claim(sharer("a3", "n2"));
    vX.ends("a2");
    vX.ends("a3");
    vX.unmounted("a2");
    vX.unmounted("a3");

    vX.held("CU vol-x i-2", HoldCode.NO_CONTROLLER, null, false, true);

    assertThat(vX.deadLetters())
        .containsExactly(
            "a2 no-controller at controller-unpublish", "a3 no-controller at controller-unpublish");
  }

  @Test
  @DisplayName("is resolved when a live sibling makes the step needless")
  void needless() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n2"));
    vX.ends("a1");
    vX.unmounted("a1");
    vX.held("CU vol-x i-2", HoldCode.NO_CONTROLLER, null, false, true);
    vX.deadLetters();

    vX.claim(sharer("a2", "n2"));

    assertThat(vX.deadLetters()).containsExactly("a1 resolved");
    assertThat(vX.table()).containsExactly("a2 n2 write taken");
  }

  @Test
  @DisplayName("of a lost node is not written anew by the retry of another node's call")
  void retryElsewhere() {
    Volumes vX = Volumes.f0("vX");
    vX.grant(sharer("a1", "n1"), sharer("a2", "n2"));
    vX.node("n1", NodeStatus.DOWN);
    vX.ends("a1");
    vX.ends("a2");
    vX.unmounted("a2");
    vX.held("CU vol-x i-2", CONTROLLER_ERROR, INTERNAL, true, true);
    List<String> letters = vX.deadLetters();

    vX.command(RETRY_SHARED);
    vX.held("CU vol-x i-2", CONTROLLER_ERROR, INTERNAL, true, true);

    assertThat(letters)
        .containsExactly("a1 node-lost", "a2 controller-error at controller-unpublish");
    assertThat(vX.deadLetters()).containsExactly("a2 controller-error at controller-unpublish");
  }

  private void detaching() {
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");
    vA.unmounted("a1");
    vA.drain();
  }
}
