package dev.berth.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.driver.DriverSpec;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Rule;
import dev.berth.records.Acceptance;
import dev.berth.records.Call;
import dev.berth.records.CallFate;
import dev.berth.records.NotSentReason;
import dev.berth.records.Outcome;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.RpcCode;
import dev.berth.records.Work;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** One worker against a real broker, registry and plugin. */
@Execution(ExecutionMode.CONCURRENT)
class WorkerIT extends WorkerFixture {

  WorkerIT(WorkerStack stack) {
    super(stack);
  }

  @Test
  void anAttachIsAcceptedCalledAndReported() {
    startWorker("w1", Map.of());

    stack.dispatch(work("t1", attach("vol-1")).build());

    Outcome outcome = outcome("t1");
    Acceptance acceptance = stack.acceptances(plugin).get(0);
    assertThat(acceptance)
        .isEqualTo(
            Acceptance.newBuilder()
                .setAttemptId("t1")
                .setAcceptanceId(acceptance.getAcceptanceId())
                .setPlugin(plugin)
                .setWorker("w1")
                .setTimeAllowedMillis(TIMEOUT.toMillis())
                .setAt(acceptance.getAt())
                .build());
    assertThat(outcome)
        .isEqualTo(
            Outcome.newBuilder()
                .setAttemptId("t1")
                .setAcceptanceId(acceptance.getAcceptanceId())
                .setRequestId("r0")
                .setCallIndex(0)
                .setPlugin(plugin)
                .setWorker("w1")
                .setFate(CallFate.ANSWERED)
                .setNotSent(NotSentReason.NONE)
                .setCode(RpcCode.OK)
                .setMessage("")
                .setPublishContext(outcome.getPublishContext())
                .setStartedAt(outcome.getStartedAt())
                .setEndedAt(outcome.getEndedAt())
                .build());
    assertThat(provider.attachments()).hasSize(1);
  }

  @Test
  void instancesArePublishedWhileTheyAreThereAndTakenBackAtTheEnd() {
    Worker worker = startWorker("w1", Map.of());
    await().until(() -> stack.instances(plugin).size() == 2);
    worker.close();

    List<PluginInstance> instances = stack.instances(plugin);
    assertThat(instances)
        .extracting(PluginInstance::getRole, PluginInstance::getHealth)
        .containsExactlyInAnyOrder(
            tuple(PluginRole.CONTROLLER, PluginHealth.HEALTHY),
            tuple(PluginRole.NODE, PluginHealth.HEALTHY),
            tuple(PluginRole.CONTROLLER, PluginHealth.REMOVED),
            tuple(PluginRole.NODE, PluginHealth.REMOVED));
    assertThat(instances)
        .filteredOn(each -> each.getRole() == PluginRole.NODE)
        .allSatisfy(each -> assertThat(each.getExternalNode()).contains("i-1"));
    assertThat(stack.members(plugin)).isZero();
  }

  @Test
  void aRecordOfAnotherRouteIsSkipped() {
    startWorker("w1", Map.of());

    stack.dispatch(
        work("t1", attach("vol-1")).setRoute("elsewhere").build(),
        work("t2", attach("vol-2")).build());

    outcome("t2");
    assertThat(stack.acceptances(plugin))
        .extracting(Acceptance::getAttemptId)
        .containsExactly("t2");
    assertThat(log.calls(Rpc.CONTROLLER_PUBLISH)).hasSize(1);
  }

  @Test
  void aLostReplyIsUnanswered() {
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).loseReply());
    startWorker("w1", Map.of());

    stack.dispatch(work("t1", attach("vol-1")).setTimeoutMillis(2_000).build());

    assertThat(outcome("t1"))
        .extracting(Outcome::getFate, Outcome::getCode)
        .containsExactly(CallFate.UNANSWERED, RpcCode.DEADLINE_EXCEEDED);
    assertThat(provider.attachments()).hasSize(1);
  }

  @Test
  void aPluginThatIsDownIsUnreachedAndUsedAgainWhenItIsBack() throws IOException {
    startWorker("w1", Map.of());
    await().until(() -> stack.instances(plugin).size() == 2);
    driver.close();
    stack.dispatch(work("t1", attach("vol-1")).build());
    assertThat(outcome("t1"))
        .extracting(Outcome::getFate, Outcome::getCode)
        .containsExactly(CallFate.UNREACHED, RpcCode.UNAVAILABLE);
    await()
        .until(
            () ->
                stack.instances(plugin).stream()
                    .anyMatch(each -> each.getHealth() == PluginHealth.UNHEALTHY));

    driver = startDriver(DriverSpec.monolith(plugin, "i-1"));
    stack.dispatch(work("t2", attach("vol-1")).build());

    assertThat(outcome("t2").getFate()).isEqualTo(CallFate.ANSWERED);
  }

  @Test
  void aCallThatHangsEndsAtItsDeadlineAndKeepsNobodyWaiting() {
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).volume("vol-1").hang());
    startWorker("w1", Map.of());

    stack.dispatch(
        work("t1", attach("vol-1")).setTimeoutMillis(4_000).build(),
        work("t2", attach("vol-2")).setLane(plugin + "/2").build());

    assertThat(outcome("t2").getFate()).isEqualTo(CallFate.ANSWERED);
    assertThat(stack.outcomes(plugin)).hasSize(1);
    Outcome hung = outcome("t1");
    assertThat(hung)
        .extracting(Outcome::getFate, Outcome::getCode)
        .containsExactly(CallFate.UNANSWERED, RpcCode.DEADLINE_EXCEEDED);
    assertThat(Duration.between(hung.getStartedAt(), hung.getEndedAt()))
        .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(5));
  }

  @Test
  void aSecretReachesThePluginAndLeavesNoTrace() throws IOException {
    Path keys = Files.writeString(directory.resolve("keys"), "token=hush-4711\n");
    script.add(
        Rule.on(Rpc.CONTROLLER_PUBLISH).fail(Status.Code.INTERNAL, "login with hush-4711 failed"));
    startWorker("w1", Map.of());
    Call call =
        Call.newBuilder(attach("vol-1"))
            .setSecrets(Map.of("token", "${file:" + keys + ":token}"))
            .build();

    stack.dispatch(work("t1", call).build());
    assertThat(outcome("t1"))
        .extracting(Outcome::getFate, Outcome::getCode, Outcome::getMessage)
        .containsExactly(CallFate.ANSWERED, RpcCode.INTERNAL, "login with [redacted] failed");

    Files.delete(keys);
    stack.dispatch(work("t2", call).build());

    assertThat(outcome("t2"))
        .extracting(Outcome::getFate, Outcome::getNotSent)
        .containsExactly(CallFate.NOT_SENT, NotSentReason.SECRET_UNAVAILABLE);
  }

  @Test
  void theCallsOfARunAreMadeInOrder() {
    startWorker("w1", Map.of());
    // A run has a second, and the first call of a worker in a process takes long.
    stack.dispatch(work("t0", attach("vol-0")).build());
    outcome("t0");
    Call[] calls = IntStream.range(0, 5).mapToObj(i -> attach("vol-" + i)).toArray(Call[]::new);

    stack.dispatch(work("t1", calls).build());

    await().until(() -> stack.outcomes(plugin).size() == 6);
    assertThat(stack.outcomes(plugin).subList(1, 6))
        .extracting(Outcome::getCallIndex, Outcome::getFate)
        .isEqualTo(IntStream.range(0, 5).mapToObj(i -> tuple(i, CallFate.ANSWERED)).toList());
  }

  @Test
  void aCloseWaitsForTheOpenCallsAndReportsThem() {
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).takes(Latency.fixed(Duration.ofSeconds(3))));
    Worker worker = startWorker("w1", Map.of());
    stack.dispatch(work("t1", attach("vol-1")).build());
    await().until(() -> worker.openAttempts() == 1);

    worker.close();

    assertThat(stack.outcomes(plugin))
        .extracting(Outcome::getFate, Outcome::getCode)
        .containsExactly(tuple(CallFate.ANSWERED, RpcCode.OK));
  }

  @Test
  void noMoreIsOpenThanTheCapAllows() {
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).takes(Latency.fixed(Duration.ofMillis(200))));
    Worker worker = startWorker("w1", Map.of("open.calls.max", "2"));

    stack.dispatch(
        IntStream.range(0, 8)
            .mapToObj(i -> work("t" + i, attach("vol-" + i)).setLane(plugin + "/" + i).build())
            .toArray(Work[]::new));

    await()
        .until(
            () -> {
              assertThat(worker.openAttempts()).isLessThanOrEqualTo(2);
              return stack.outcomes(plugin).size() == 8;
            });
    assertThat(stack.acceptances(plugin)).hasSize(8);
  }
}
