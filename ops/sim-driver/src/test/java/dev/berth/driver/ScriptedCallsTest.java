package dev.berth.driver;

import static dev.berth.driver.DriverClient.attach;
import static dev.berth.driver.DriverClient.code;
import static dev.berth.driver.DriverClient.detach;
import static dev.berth.driver.DriverClient.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.ListenableFuture;
import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Attachment;
import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Rule;
import dev.berth.proto.csi.ControllerPublishVolumeResponse;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script makes of calls, and what becomes of work whose caller goes away. */
class ScriptedCallsTest {

  private static final Duration SHORT = Duration.ofMillis(300);

  @TempDir private Path directory;
  private DriverFixture fixture;
  private DriverClient client;

  @BeforeEach
  void start() throws IOException {
    fixture = DriverFixture.start(DriverFixture.monolith(), directory);
    client = fixture.client;
    // The first call of a JVM takes seconds; the deadlines below are shorter.
    client.controller().controllerUnpublishVolume(detach("s3", "i-2"));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void nthCallFailsAndDoesNothing() {
    fixture.script.add(
        Rule.on(Rpc.CONTROLLER_PUBLISH).call(2).fail(Status.Code.UNAVAILABLE, "come back"));

    client.controller().controllerPublishVolume(attach("s1", "i-1"));
    assertThat(refusal(() -> client.controller().controllerPublishVolume(attach("s2", "i-1"))))
        .isEqualTo("UNAVAILABLE: come back");
    assertThat(attachedVolumes()).containsExactly("s1");
    client.controller().controllerPublishVolume(attach("s2", "i-1"));
    assertThat(attachedVolumes()).containsExactly("s1", "s2");
  }

  @Test
  void callFailsThoughItIsDone() {
    fixture.script.add(
        Rule.on(Rpc.CONTROLLER_PUBLISH).failAfterEffect(Status.Code.INTERNAL, "who knows"));

    assertThat(refusal(() -> client.controller().controllerPublishVolume(attach("s1", "i-1"))))
        .isEqualTo("INTERNAL: who knows");
    assertThat(attachedVolumes()).containsExactly("s1");
    assertThat(lastCall().effect()).isPresent();
  }

  @Test
  void callTakesItsTime() {
    fixture.script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).takes(Latency.fixed(SHORT)));

    client.controller().controllerPublishVolume(attach("s1", "i-1"));

    Call call = lastCall();
    assertThat(Duration.between(call.startedAt(), call.end().orElseThrow().at()))
        .isGreaterThanOrEqualTo(SHORT);
  }

  @Test
  void hangingCallEndsWithItsCallersDeadlineAndDoesNothing() {
    fixture.script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).call(1).hang());

    assertThat(code(() -> client.controller(SHORT).controllerPublishVolume(attach("s1", "i-1"))))
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    await().until(() -> !lastCall().isOpen());
    assertThat(lastCall().describe()).isEqualTo("#4 CP s1 i-1 rw -> DEADLINE_EXCEEDED");
    assertThat(attachedVolumes()).isEmpty();

    client.controller().controllerPublishVolume(attach("s1", "i-1"));
    assertThat(attachedVolumes()).containsExactly("s1");
  }

  @Test
  void replyIsLostAfterTheEffect() {
    fixture.script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).call(1).loseReply());

    assertThat(code(() -> client.controller(SHORT).controllerPublishVolume(attach("s1", "i-1"))))
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    await().until(() -> !lastCall().isOpen());

    assertThat(lastCall().describe())
        .isEqualTo("#4 CP s1 i-1 rw -> DEADLINE_EXCEEDED (done all the same)");
    assertThat(attachedVolumes()).containsExactly("s1");
  }

  @Test
  void workStopsWhenTheCallerIsGone() {
    fixture.script.add(
        Rule.on(Rpc.CONTROLLER_PUBLISH).call(1).takes(Latency.fixed(Duration.ofMinutes(5))));

    assertThat(code(() -> client.controller(SHORT).controllerPublishVolume(attach("s1", "i-1"))))
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    await().until(() -> !lastCall().isOpen());

    // The provider is free again: another call of the volume is not aborted.
    assertThat(code(() -> client.controller().controllerUnpublishVolume(detach("s1", "i-1"))))
        .isEqualTo(Status.Code.OK);
    assertThat(attachedVolumes()).isEmpty();
  }

  @Test
  void workGoesOnWithoutItsCallerIfToldSo() {
    fixture.script.add(
        Rule.on(Rpc.CONTROLLER_PUBLISH)
            .call(1)
            .takes(Latency.fixed(SHORT.multipliedBy(3)))
            .finishingAfterCancel());

    assertThat(code(() -> client.controller(SHORT).controllerPublishVolume(attach("s1", "i-1"))))
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(refusal(() -> client.controller().controllerUnpublishVolume(detach("s1", "i-1"))))
        .isEqualTo("ABORTED: another call for volume s1 is not finished");
    await().until(() -> attachedVolumes().contains("s1"));

    Call call = fixture.log.calls(Rpc.CONTROLLER_PUBLISH).get(0);
    assertThat(call.effect().orElseThrow().sequence())
        .isGreaterThan(call.end().orElseThrow().sequence());
  }

  @Test
  void cancelledCallIsToldFromOneThatRanOutOfTime() {
    fixture.script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).hang());
    ListenableFuture<ControllerPublishVolumeResponse> call =
        client.controllerInBackground().controllerPublishVolume(attach("s1", "i-1"));
    await().until(() -> lastCall().facts().rpc() == Rpc.CONTROLLER_PUBLISH);

    call.cancel(true);

    await().until(() -> !lastCall().isOpen());
    assertThat(lastCall().describe()).isEqualTo("#4 CP s1 i-1 rw -> CANCELLED");
  }

  @Test
  void secondCallOfAVolumeIsAborted() {
    fixture.script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).hang());
    ListenableFuture<ControllerPublishVolumeResponse> open =
        client.controllerInBackground().controllerPublishVolume(attach("s1", "i-1"));
    await().until(() -> lastCall().facts().rpc() == Rpc.CONTROLLER_PUBLISH);

    assertThat(refusal(() -> client.controller().controllerUnpublishVolume(detach("s1", "i-1"))))
        .isEqualTo("ABORTED: another call for volume s1 is not finished");
    assertThat(code(() -> client.controller().controllerUnpublishVolume(detach("s2", "i-1"))))
        .isEqualTo(Status.Code.OK);
    open.cancel(true);
  }

  @Test
  void attachesOpenTogetherForOneNodeRaceForTheDeviceName() throws Exception {
    fixture.script.add(
        Rule.on(Rpc.CONTROLLER_PUBLISH).volume("s1").takes(Latency.fixed(SHORT.multipliedBy(3))));
    ListenableFuture<ControllerPublishVolumeResponse> first =
        client.controllerInBackground().controllerPublishVolume(attach("s1", "i-1"));
    await().until(() -> lastCall().facts().rpc() == Rpc.CONTROLLER_PUBLISH);

    assertThat(refusal(() -> client.controller().controllerPublishVolume(attach("s2", "i-1"))))
        .isEqualTo("INTERNAL: device name in use on node i-1: another attach was open");
    assertThat(code(() -> client.controller().controllerPublishVolume(attach("s2", "i-2"))))
        .isEqualTo(Status.Code.OK);
    assertThat(first.get().getPublishContextMap()).containsKey("device");
  }

  @Test
  void driverThatStopsDropsItsWorkAndFreesTheProvider() throws IOException {
    fixture.script.add(
        Rule.on(Rpc.CONTROLLER_PUBLISH)
            .takes(Latency.fixed(Duration.ofMinutes(5)))
            .finishingAfterCancel());
    ListenableFuture<ControllerPublishVolumeResponse> open =
        client.controllerInBackground().controllerPublishVolume(attach("s1", "i-1"));
    await().until(() -> lastCall().facts().rpc() == Rpc.CONTROLLER_PUBLISH);

    fixture.driver.close();

    assertThat(code(() -> get(open))).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(lastCall().describe()).isEqualTo("#4 CP s1 i-1 rw -> UNAVAILABLE");
    fixture.script.clear();
    try (SimulatedDriver again =
            SimulatedDriver.start(
                DriverFixture.monolith(),
                fixture.provider,
                fixture.script,
                fixture.log,
                directory.resolve("csi.sock"));
        DriverClient other = new DriverClient(again)) {
      assertThat(code(() -> other.controller().controllerPublishVolume(attach("s1", "i-1"))))
          .isEqualTo(Status.Code.OK);
    }
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
