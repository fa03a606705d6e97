package dev.berth.workers.csi;

import static dev.berth.workers.WorkFixtures.call;
import static dev.berth.workers.WorkFixtures.run;
import static dev.berth.workers.WorkFixtures.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.BoolValue;
import dev.berth.proto.csi.ControllerPublishVolumeResponse;
import dev.berth.proto.csi.ProbeResponse;
import dev.berth.records.Call;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import dev.berth.records.PluginRole;
import dev.berth.records.RpcCode;
import dev.berth.records.Work;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.headers.Trace;
import dev.berth.schemas.headers.Traces;
import dev.berth.workers.FakePlugin;
import dev.berth.workers.accept.Accepted;
import dev.berth.workers.call.CallResult;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.config.PluginAddress;
import dev.berth.workers.secrets.MissingSecrets;
import dev.berth.workers.secrets.SecretSource;
import dev.berth.workers.time.Clocks;
import io.grpc.ConnectivityState;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a call, seen at a real socket. */
class CsiCallerTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path mounts;

  private final Clocks clocks = Clocks.system();
  private final SecretSource secrets =
      reference ->
          reference.key().equals("token")
              ? new SecretSource.Lookup.Found("hush-4711")
              : new SecretSource.Lookup.Missing("there is no such key");
  private FakePlugin plugin;
  private PluginEndpoints endpoints;

  @BeforeEach
  void startPlugin() throws IOException {
    plugin = FakePlugin.start();
    endpoints =
        new PluginEndpoints(
            List.of(
                endpoint(PluginRole.CONTROLLER, plugin.address()),
                endpoint(PluginRole.NODE, plugin.address())));
  }

  @AfterEach
  void stopPlugin() {
    endpoints.close();
    plugin.close();
  }

  @Test
  void anAnswerIsAnswered() {
    assertThat(make(LONG, call().build()))
        .isEqualTo(new CallResult.Answered(RpcCode.OK, "", Map.of("device", "/dev/xvdf")));
  }

  @Test
  void aCallTellsThePluginItsTraceAndNotThatOfAnotherCallOfTheRun() {
    Trace trace = new Trace("00-" + "1".repeat(32) + "-" + "2".repeat(16) + "-01", "v=1");
    Accepted accepted =
        Accepted.of(
            run("t1", 3),
            "w1",
            "x1",
            clocks.read(),
            StepTimes.NONE.within(new Traces(List.of(Trace.NONE, trace))));

    accepted
        .work()
        .getCalls()
        .forEach(call -> caller(IncarnationCheck.none()).call(accepted, call.getCall()));

    assertThat(plugin.traces).containsExactly(Trace.NONE, trace, Trace.NONE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void afterADetachThatIsUnimplementedTheCapabilitiesAreReadAgain(boolean attaches) {
    plugin.detached = Status.UNIMPLEMENTED.withDescription("no such call");
    plugin.attaches = attaches;

    assertThat(make(LONG, call(CsiCall.CONTROLLER_UNPUBLISH).build()))
        .isEqualTo(
            new CallResult.Answered(
                RpcCode.UNIMPLEMENTED, "no such call", Map.of(), Optional.of(attaches)));
  }

  @Test
  void afterAnotherAnswerTheyAreNot() {
    plugin.detached = Status.ABORTED.withDescription("pending");

    assertThat(make(LONG, call(CsiCall.CONTROLLER_UNPUBLISH).build()))
        .isEqualTo(new CallResult.Answered(RpcCode.ABORTED, "pending", Map.of()));
  }

  @Test
  void anErrorInTrailersIsAnswered() {
    plugin.onPublish =
        (request, answer) ->
            answer.onError(Status.ABORTED.withDescription("pending").asRuntimeException());

    assertThat(make(LONG, call().build()))
        .isEqualTo(new CallResult.Answered(RpcCode.ABORTED, "pending", Map.of()));
  }

  @Test
  void unavailableInTrailersIsTheWordOfThePlugin() {
    plugin.onPublish =
        (request, answer) ->
            answer.onError(Status.UNAVAILABLE.withDescription("no cloud").asRuntimeException());

    assertThat(make(LONG, call().build()))
        .isEqualTo(new CallResult.Answered(RpcCode.UNAVAILABLE, "no cloud", Map.of()));
  }

  @Test
  void aCallThatHangsIsUnansweredAtItsDeadline() {
    plugin.onPublish = (request, answer) -> {};

    assertThat(make(Duration.ofMillis(500), call().build()))
        .isInstanceOfSatisfying(
            CallResult.Unanswered.class,
            result -> assertThat(result.code()).isEqualTo(RpcCode.DEADLINE_EXCEEDED));
  }

  @Test
  void aPluginThatDiesDuringTheCallLeavesItUnanswered() {
    plugin.onPublish = (request, answer) -> plugin.close();

    assertThat(make(LONG, call().build()))
        .isInstanceOfSatisfying(
            CallResult.Unanswered.class,
            result -> assertThat(result.code()).isIn(RpcCode.UNAVAILABLE, RpcCode.CANCELLED));
  }

  @Test
  void aPluginThatIsNotThereIsUnreached() {
    plugin.close();

    assertThat(make(LONG, call().build()))
        .isEqualTo(new CallResult.Unreached("no connection to " + plugin.address()));
  }

  @Test
  void aPluginThatIsBackIsReachedByTheNextCall() throws IOException {
    plugin.close();
    assertThat(make(LONG, call().build())).isInstanceOf(CallResult.Unreached.class);

    try (FakePlugin again = FakePlugin.startAt(plugin.address())) {
      assertThat(make(LONG, call().build())).isInstanceOf(CallResult.Answered.class);
      assertThat(again.published).hasSize(1);
    }
  }

  @Test
  void aPluginIsAskedWhetherItIsReadyBeforeTheFirstCall() {
    plugin.probe = notReady();

    assertThat(make(LONG, call().build()))
        .isEqualTo(new CallResult.Unreached("the plugin says that it is not ready yet (Probe)"));
    assertThat(plugin.published).isEmpty();

    plugin.probe = ProbeResponse.getDefaultInstance();
    assertThat(make(LONG, call().build())).isInstanceOf(CallResult.Answered.class);
  }

  @Test
  void aPluginThatHasRestartedIsAskedAgain() throws IOException {
    assertThat(make(LONG, call().build())).isInstanceOf(CallResult.Answered.class);
    plugin.close();
    // A call that goes out before its end is noticed is one without an answer.
    await()
        .until(
            () ->
                endpoints.all().get(0).connection().channel().getState(false)
                    != ConnectivityState.READY);

    try (FakePlugin again = FakePlugin.startAt(plugin.address())) {
      again.probe = notReady();

      assertThat(make(LONG, call().build())).isInstanceOf(CallResult.Unreached.class);
      assertThat(again.published).isEmpty();
    }
  }

  @Test
  void aPluginThatIsReadyIsAskedOncePerConnection() {
    make(LONG, call().build());
    make(LONG, call().build());

    assertThat(plugin.probes).hasValue(1);
  }

  @Test
  void aNodePluginThatIsNotReadyYetIsWaitedFor() {
    plugin.probe = notReady();
    Call stage = call(CsiCall.NODE_STAGE).build();
    CompletableFuture<CallResult> result = CompletableFuture.supplyAsync(() -> make(LONG, stage));
    await().until(() -> plugin.probes.get() > 1);
    assertThat(plugin.others).isEmpty();

    plugin.probe = ProbeResponse.getDefaultInstance();

    assertThat(result)
        .succeedsWithin(LONG)
        .isEqualTo(new CallResult.Answered(RpcCode.OK, "", Map.of()));
  }

  private static ProbeResponse notReady() {
    return ProbeResponse.newBuilder().setReady(BoolValue.of(false)).build();
  }

  @Test
  void aPluginThatCannotBeReachedIsLookedAt() {
    plugin.close();
    AtomicInteger looks = new AtomicInteger();
    endpoints.all().get(0).whenUnreached(looks::incrementAndGet);

    make(LONG, call().build());

    assertThat(looks).hasValue(1);
  }

  @Test
  void aNodePluginThatIsNotUpYetIsWaitedFor() throws IOException {
    plugin.close();
    Call stage = call(CsiCall.NODE_STAGE).build();
    CompletableFuture<CallResult> result = new CompletableFuture<>();
    Thread thread = new Thread(() -> result.complete(make(LONG, stage)));
    thread.start();

    try (FakePlugin again = FakePlugin.startAt(plugin.address())) {
      await().until(result::isDone);
      assertThat(result)
          .isCompletedWithValueMatching(
              r -> r instanceof CallResult.Answered a && a.code() == RpcCode.OK);
      assertThat(again.address()).isEqualTo(plugin.address());
    }
    assertThat(mounts.resolve("ebs/staging/default/v1")).isDirectory();
  }

  @Test
  void aNodePluginThatDoesNotComeIsUnreachedWhenTheTimeIsOver() {
    plugin.close();

    assertThat(make(Duration.ofMillis(700), call(CsiCall.NODE_STAGE).build()))
        .isInstanceOf(CallResult.Unreached.class);
  }

  @Test
  void secretsReachThePluginAndAreTakenOutOfWhatComesBack() {
    plugin.onPublish =
        (request, answer) -> {
          answer.onNext(
              ControllerPublishVolumeResponse.newBuilder()
                  .putPublishContext("login", "u:" + request.getSecretsOrThrow("token"))
                  .build());
          answer.onCompleted();
        };
    Call secret = call().setSecrets(Map.of("token", "${file:/keys:token}")).build();

    assertThat(make(LONG, secret))
        .isEqualTo(new CallResult.Answered(RpcCode.OK, "", Map.of("login", "u:[redacted]")));

    plugin.onPublish =
        (request, answer) ->
            answer.onError(
                Status.INTERNAL
                    .withDescription("login with " + request.getSecretsOrThrow("token"))
                    .asRuntimeException());

    assertThat(make(LONG, secret))
        .isEqualTo(new CallResult.Answered(RpcCode.INTERNAL, "login with [redacted]", Map.of()));
  }

  @Test
  void aSecretThatIsMissingKeepsTheCallBack() {
    Call secret = call().setSecrets(Map.of("token", "${file:/keys:gone}")).build();

    assertThat(make(LONG, secret))
        .isEqualTo(
            new CallResult.NotSent(
                NotSentReason.SECRET_UNAVAILABLE, "${file:/keys:gone}: there is no such key"));
    assertThat(plugin.published).isEmpty();
  }

  @Test
  void aSecretWhoseValueIsLargerThanCsiAllowsKeepsTheCallBack() {
    Call secret = call().setSecrets(Map.of("token", "${file:/keys:token}".repeat(455))).build();

    assertThat(make(LONG, secret))
        .isEqualTo(
            new CallResult.NotSent(
                NotSentReason.INVALID,
                "CONTROLLER_PUBLISH of volume default/v1: secrets has 4100 bytes, 4100 of them in"
                    + " 'token'; CSI allows 4096 together"));
    assertThat(plugin.published).isEmpty();
  }

  @Test
  void anEmptyNodeIdIsNeverSent() {
    assertThat(make(LONG, call(CsiCall.CONTROLLER_UNPUBLISH).setExternalNode(null).build()))
        .isInstanceOfSatisfying(
            CallResult.NotSent.class,
            result -> assertThat(result.reason()).isEqualTo(NotSentReason.INVALID));
  }

  @Test
  void aPublishContextLargerThanCsiAllowsIsAnError() {
    plugin.onPublish = (request, answer) -> FakePlugin.answerWith(answer, "é".repeat(2_045));
    assertThat(make(LONG, call().build()))
        .isEqualTo(new CallResult.Answered(RpcCode.OK, "", Map.of("device", "é".repeat(2_045))));

    plugin.onPublish = (request, answer) -> FakePlugin.answerWith(answer, "é".repeat(2_046));

    assertThat(make(LONG, call().build()))
        .isEqualTo(
            new CallResult.Answered(
                RpcCode.INTERNAL, "publish_context of 4098 bytes; csi.v1 allows 4096", Map.of()));
  }

  @Test
  void aMessageIsCutToALengthThatPeopleRead() {
    plugin.onPublish =
        (request, answer) ->
            answer.onError(Status.INTERNAL.withDescription("x".repeat(2_000)).asRuntimeException());

    assertThat(make(LONG, call().build()))
        .isEqualTo(new CallResult.Answered(RpcCode.INTERNAL, "x".repeat(1_000) + "…", Map.of()));
  }

  @Test
  void workForAPluginThatThisWorkerDoesNotServeIsNotSent() {
    Work elsewhere = work("t1").setInstanceNode("n9").build();

    assertThat(caller(IncarnationCheck.none()).call(accepted(elsewhere), call().build()))
        .isEqualTo(
            new CallResult.NotSent(
                NotSentReason.NO_PLUGIN,
                "worker w1 serves no CONTROLLER of plugin ebs on node n9; configure its endpoint"
                    + " or its route"));
  }

  @Test
  void nodeWorkOfAnotherIncarnationIsNotSent() {
    IncarnationCheck check =
        (node, incarnation) -> Optional.of("not incarnation " + incarnation + " of " + node);
    Accepted old = accepted(work("t1").setNodeIncarnation(7).build());

    assertThat(caller(check).call(old, call(CsiCall.NODE_STAGE).build()))
        .isEqualTo(new CallResult.NotSent(NotSentReason.INCARNATION, "not incarnation 7 of n1"));
    assertThat(caller(check).call(old, call().build()))
        .as("controller work has no incarnation")
        .isInstanceOf(CallResult.Answered.class);
  }

  @Test
  void aNodeThatChangesWhileItsPluginIsWaitedForIsLookedAtAgain() throws IOException {
    plugin.close();
    AtomicInteger asked = new AtomicInteger();
    IncarnationCheck check =
        (node, incarnation) ->
            asked.incrementAndGet() == 1 ? Optional.empty() : Optional.of("it is 8 now");
    CompletableFuture<CallResult> result =
        CompletableFuture.supplyAsync(
            () ->
                caller(check).call(accepted(work("t1").build()), call(CsiCall.NODE_STAGE).build()));
    await().pollDelay(Duration.ofMillis(1_500)).until(() -> asked.get() == 1);

    try (FakePlugin again = FakePlugin.startAt(plugin.address())) {
      assertThat(result)
          .succeedsWithin(LONG)
          .isEqualTo(new CallResult.NotSent(NotSentReason.INCARNATION, "it is 8 now"));
      assertThat(again.published).isEmpty();
    }
  }

  private CallResult make(Duration time, Call call) {
    return caller(IncarnationCheck.none())
        .call(accepted(work("t1").setTimeoutMillis(time.toMillis()).build()), call);
  }

  private Accepted accepted(Work work) {
    return Accepted.of(work, "w1", "x1", clocks.read());
  }

  private CsiCaller caller(IncarnationCheck check) {
    return new CsiCaller(
        endpoints, secrets, new MissingSecrets(secrets), check, TimeOfSendTest.NEVER_LATE, clocks);
  }

  private PluginEndpoint endpoint(PluginRole role, PluginAddress address) {
    return new PluginEndpoint(
        new EndpointConfig(
            "a",
            Optional.of("ebs"),
            role,
            "n1",
            "pool",
            address,
            Optional.empty(),
            Optional.empty()),
        PluginConnection.plaintext(address),
        mounts);
  }
}
