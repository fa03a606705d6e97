package dev.berth.driver;

import static dev.berth.driver.DriverClient.attach;
import static dev.berth.driver.DriverClient.code;
import static dev.berth.driver.DriverClient.detach;
import static dev.berth.driver.DriverClient.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.ListenableFuture;
import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Attachment;
import dev.berth.driver.script.Behaviour;
import dev.berth.driver.script.Plan;
import dev.berth.driver.script.Rule;
import dev.berth.driver.script.Script;
import dev.berth.proto.csi.ControllerPublishVolumeResponse;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of calls of which a director says one by one what they get. */
class DirectedCallsTest {

  private static final Duration SHORT = Duration.ofMillis(300);

  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Behaviour> answer = new CompletableFuture<>();
  private volatile Optional<Behaviour> behaviour = Optional.empty();

  @TempDir private Path directory;
  private DriverFixture fixture;
  private DriverClient client;

  /** What the director was asked. */
  private record Asked(long call, CallFacts facts) {}

  @BeforeEach
  void start() throws IOException {
    fixture =
        DriverFixture.start(
            DriverFixture.monolith(),
            Script.directed(
                (call, facts) -> {
                  asked.add(new Asked(call, facts));
                  return behaviour.map(it -> new Plan(it, Duration.ZERO, false));
                }),
            directory);
    client = fixture.client;
    // The first call of a JVM takes seconds; the deadlines below are shorter.
    client.controller().controllerUnpublishVolume(detach("s3", "i-2"));
    asked.clear();
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void directorIsAskedOnceForEachCallByItsNumberInTheLog() {
    client.controller().controllerPublishVolume(attach("s1", "i-1"));
    client.controller().controllerUnpublishVolume(detach("s1", "i-1"));

    assertThat(asked)
        .isEqualTo(
            fixture.log.calls().stream()
                .skip(1)
                .map(call -> new Asked(call.number(), call.facts()))
                .toList());
  }

  @Test
  void callThatTheDirectorLeavesFollowsTheRules() {
    fixture.script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).fail(Status.Code.UNAVAILABLE, "by rule"));

    assertThat(refusal(() -> client.controller().controllerPublishVolume(attach("s1", "i-1"))))
        .isEqualTo("UNAVAILABLE: by rule");

    behaviour = Optional.of(new Behaviour.Fail(Status.Code.INTERNAL, "by word"));
    assertThat(refusal(() -> client.controller().controllerPublishVolume(attach("s1", "i-1"))))
        .isEqualTo("INTERNAL: by word");
  }

  @Test
  void attachIsDoneAndAnsweredWithTheContextGiven() {
    behaviour = Optional.of(new Behaviour.AnswerWith(Map.of("attempt", "first")));

    assertThat(
            client.controller().controllerPublishVolume(attach("s1", "i-1")).getPublishContextMap())
        .isEqualTo(Map.of("attempt", "first"));
    assertThat(attachedVolumes()).containsExactly("s1");
    assertThat(lastCall().effect()).isPresent();
  }

  @Test
  void contextGivenDoesNotTurnARefusalIntoAnAttach() {
    behaviour = Optional.of(new Behaviour.AnswerWith(Map.of("attempt", "first")));

    assertThat(code(() -> client.controller().controllerPublishVolume(attach("none", "i-1"))))
        .isEqualTo(Status.Code.NOT_FOUND);
    assertThat(attachedVolumes()).isEmpty();
  }

  @Test
  void contextGivenMeansNothingToADetach() {
    client.controller().controllerPublishVolume(attach("s1", "i-1"));
    behaviour = Optional.of(new Behaviour.AnswerWith(Map.of("attempt", "first")));

    assertThat(code(() -> client.controller().controllerUnpublishVolume(detach("s1", "i-1"))))
        .isEqualTo(Status.Code.OK);
    assertThat(attachedVolumes()).isEmpty();
  }

  @Test
  void heldCallDoesNothingUntilItIsToldWhat() throws Exception {
    ListenableFuture<ControllerPublishVolumeResponse> open = heldAttach();
    assertThat(attachedVolumes()).isEmpty();
    assertThat(lastCall().isOpen()).isTrue();

    answer.complete(new Behaviour.AnswerWith(Map.of("attempt", "first")));

    assertThat(open.get().getPublishContextMap()).isEqualTo(Map.of("attempt", "first"));
    assertThat(attachedVolumes()).containsExactly("s1");
  }

  @Test
  void heldCallMayFailWithAndWithoutItsEffect() {
    ListenableFuture<ControllerPublishVolumeResponse> open = heldAttach();

    answer.complete(new Behaviour.FailAfterEffect(Status.Code.INTERNAL, "who knows"));

    assertThat(refusal(() -> get(open))).isEqualTo("INTERNAL: who knows");
    assertThat(attachedVolumes()).containsExactly("s1");

    behaviour =
        Optional.of(
            new Behaviour.Held(
                CompletableFuture.completedFuture(
                    new Behaviour.Fail(Status.Code.UNAVAILABLE, "come back"))));
    assertThat(refusal(() -> client.controller().controllerUnpublishVolume(detach("s1", "i-1"))))
        .isEqualTo("UNAVAILABLE: come back");
    assertThat(attachedVolumes()).containsExactly("s1");
  }

  @Test
  void replyOfAHeldCallMayBeLost() {
    ListenableFuture<ControllerPublishVolumeResponse> open = heldAttach();

    answer.complete(new Behaviour.LoseReply());

    await().until(() -> attachedVolumes().contains("s1"));
    assertThat(open.isDone()).isFalse();
    assertThat(lastCall().isOpen()).isTrue();
    open.cancel(true);
  }

  @Test
  void heldCallKeepsOthersOfItsVolumeOut() {
    ListenableFuture<ControllerPublishVolumeResponse> open = heldAttach();
    behaviour = Optional.empty();

    assertThat(refusal(() -> client.controller().controllerUnpublishVolume(detach("s1", "i-1"))))
        .isEqualTo("ABORTED: another call for volume s1 is not finished");
    open.cancel(true);
  }

  @Test
  void answerThatComesAfterTheCallerHasGoneIsDropped() {
    behaviour = Optional.of(new Behaviour.Held(answer));
    assertThat(code(() -> client.controller(SHORT).controllerPublishVolume(attach("s1", "i-1"))))
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    await().until(() -> !lastCall().isOpen());

    answer.complete(new Behaviour.Answer());

    // The provider is free again, and the driver's one thread has been through the late answer.
    behaviour =
        Optional.of(new Behaviour.Held(CompletableFuture.completedFuture(new Behaviour.Answer())));
    assertThat(code(() -> client.controller().controllerPublishVolume(attach("s2", "i-1"))))
        .isEqualTo(Status.Code.OK);
    assertThat(attachedVolumes()).containsExactly("s2");
    assertThat(fixture.log.calls(Rpc.CONTROLLER_PUBLISH))
        .map(Call::describe)
        .containsExactly("#4 CP s1 i-1 rw -> DEADLINE_EXCEEDED", "#6 CP s2 i-1 rw -> OK");
  }

  @Test
  void heldCallEndsWithItsDriver() {
    ListenableFuture<ControllerPublishVolumeResponse> open = heldAttach();

    fixture.driver.close();

    assertThat(code(() -> get(open))).isEqualTo(Status.Code.UNAVAILABLE);
    answer.complete(new Behaviour.Answer());
    assertThat(attachedVolumes()).isEmpty();
  }

  /** An attach that waits for {@link #answer}. */
  private ListenableFuture<ControllerPublishVolumeResponse> heldAttach() {
    behaviour = Optional.of(new Behaviour.Held(answer));
    ListenableFuture<ControllerPublishVolumeResponse> open =
        client.controllerInBackground().controllerPublishVolume(attach("s1", "i-1"));
    await().until(() -> !asked.isEmpty());
    return open;
  }

  private static ControllerPublishVolumeResponse get(
      ListenableFuture<ControllerPublishVolumeResponse> call) {
    try {
      return call.get();
    } catch (ExecutionException e) {
      throw Status.fromThrowable(e).asRuntimeException();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Call lastCall() {
    List<Call> calls = fixture.log.calls();
    return calls.get(calls.size() - 1);
  }

  private List<String> attachedVolumes() {
    return fixture.provider.attachments().stream().map(Attachment::volume).toList();
  }
}
