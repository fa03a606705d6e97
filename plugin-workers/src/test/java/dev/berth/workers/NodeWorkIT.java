package dev.berth.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.driver.calls.Rpc;
import dev.berth.records.Acceptance;
import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeView;
import dev.berth.records.NotSentReason;
import dev.berth.records.Outcome;
import dev.berth.records.Work;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Node work: of which incarnation of its node it is, and which process takes it. */
@Execution(ExecutionMode.CONCURRENT)
class NodeWorkIT extends WorkerFixture {

  NodeWorkIT(WorkerStack stack) {
    super(stack);
  }

  @Test
  void nodeWorkFromBeforeItsNodeCameBackIsNotCarriedOut() {
    String node = "node-of-" + plugin;
    startWorker("w1", Map.of("plugins.node.node", node));
    stack.tell(nodeView(node, 7));
    stack.dispatch(nodeWork("t1", node, 7));
    assertThat(outcome("t1").getFate()).isEqualTo(CallFate.ANSWERED);

    stack.tell(nodeView(node, 8));
    stack.dispatch(nodeWork("t2", node, 7), nodeWork("t3", node, 8));

    assertThat(outcome("t2"))
        .extracting(Outcome::getFate, Outcome::getNotSent, Outcome::getMessage)
        .containsExactly(
            CallFate.NOT_SENT,
            NotSentReason.INCARNATION,
            "meant for incarnation 7 of node " + node + ", which is 8 now");
    assertThat(outcome("t3").getFate()).isEqualTo(CallFate.ANSWERED);
    assertThat(log.calls(Rpc.NODE_UNSTAGE)).hasSize(2);
  }

  @Test
  void theWorkerOfANodePollsItsPartitionOnlyAndIsFencedOffByTheNext() {
    String node = "node-of-" + plugin;
    stack.tell(nodeView(node, 7));
    Worker first = startNodeWorker("w1", node);
    stack.dispatch(ofNode("t1", node));
    assertThat(outcome("t1").getWorker()).isEqualTo("w1");

    startNodeWorker("w2", node);

    AtomicInteger attempts = new AtomicInteger(1);
    await()
        .untilAsserted(
            () -> {
              String attempt = "t" + attempts.incrementAndGet();
              stack.dispatch(ofNode(attempt, node));
              assertThat(outcome(attempt).getWorker()).isEqualTo("w2");
            });
    assertThat(stack.acceptances(plugin))
        .extracting(Acceptance::getAttemptId)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, attempts.get()).mapToObj(i -> "t" + i).toList());
    assertThat(log.calls(Rpc.NODE_UNSTAGE)).hasSize(attempts.get());
    await()
        .untilAsserted(
            () ->
                assertThat(first.waiting())
                    .containsExactly(
                        "another process serves route node-%s: stop one of the two; this one takes"
                                .formatted(node)
                            + " over when the other ends, or gives no sign for 180 s"));
  }

  private Work ofNode(String attempt, String node) {
    return Work.newBuilder(nodeWork(attempt, node, 7)).setRoute("node-" + node).build();
  }

  private Worker startNodeWorker(String id, String node) {
    Map<String, String> settings =
        settings(id, Map.of("plugins.node.node", node, "worker.role", "node", "worker.node", node));
    Worker worker = start(settings);
    await().until(() -> stack.hasBegun("node-" + node, 1));
    return worker;
  }

  private static NodeView nodeView(String node, long incarnation) {
    return NodeView.newBuilder()
        .setNode(node)
        .setScheduler("nomad")
        .setStatus(NodeStatus.READY)
        .setEligible(true)
        .setIncarnation(incarnation)
        .build();
  }

  private Work nodeWork(String attempt, String node, long incarnation) {
    return work(attempt, WorkFixtures.call(CsiCall.NODE_UNSTAGE).build())
        .setLane(plugin + "/" + attempt)
        .setInstanceNode(node)
        .setNodeIncarnation(incarnation)
        .build();
  }
}
