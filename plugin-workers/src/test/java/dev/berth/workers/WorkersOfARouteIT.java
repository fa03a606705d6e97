package dev.berth.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.driver.calls.Rpc;
import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Rule;
import dev.berth.records.Acceptance;
import dev.berth.records.CallFate;
import dev.berth.records.LaneStatus;
import dev.berth.records.ListedVolume;
import dev.berth.records.OpenAttempt;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginListing;
import dev.berth.records.PluginRole;
import dev.berth.records.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The workers of a route: where the first begins, and what is left when one comes or goes. */
@Execution(ExecutionMode.CONCURRENT)
class WorkersOfARouteIT extends WorkerFixture {

  WorkersOfARouteIT(WorkerStack stack) {
    super(stack);
  }

  @Test
  void whatIsOpenWhenTheFirstWorkerOfARouteComesIsAccepted() {
    Work before = work("t1", attach("vol-1")).build();
    Work taken = work("t2", attach("vol-2")).setLane(plugin + "/2").build();
    stack.dispatch(
        LaneStatus.newBuilder()
            .setPlugin(plugin)
            .setPaused(false)
            .setQueued(0)
            .setHeld(0)
            .setInFlight(2)
            .setOpen(
                List.of(
                    OpenAttempt.newBuilder().setWork(before).build(),
                    OpenAttempt.newBuilder().setWork(taken).setAcceptanceId("x9").build()))
            .setAt(Instant.EPOCH)
            .build(),
        before,
        taken);

    startWorker("w1", Map.of());

    outcome("t1");
    stack.dispatch(work("t3", attach("vol-3")).build());
    outcome("t3");
    assertThat(stack.acceptances(plugin))
        .extracting(Acceptance::getAttemptId)
        .containsExactly("t1", "t3");
  }

  @Test
  void aWorkerThatComesBackGoesOnWhereItsGroupWas() {
    Worker first = startWorker("w1", Map.of());
    stack.dispatch(work("t1", attach("vol-1")).build());
    outcome("t1");
    first.close();
    stack.dispatch(work("t2", attach("vol-2")).build());

    startWorker("w1", Map.of());

    outcome("t2");
    assertThat(stack.acceptances(plugin))
        .extracting(Acceptance::getAttemptId)
        .containsExactly("t1", "t2");
  }

  @Test
  void whatThePluginListsIsPublishedByTheOneWorkerThatAcceptsItsWork() {
    Map<String, String> settings = Map.of("listing.interval.ms", "500");
    startWorker("w1", settings);
    startWorker("w2", settings);
    await().until(() -> stack.members(plugin) == 2);
    AtomicInteger attempts = new AtomicInteger();

    // Until the plugin's partition has found its place the listings change hands with it.
    await()
        .untilAsserted(
            () -> {
              String attempt = "t" + attempts.incrementAndGet();
              stack.dispatch(work(attempt, attach("vol-1")).build());
              String acceptor = outcome(attempt).getWorker();
              int before = stack.listings(plugin).size();
              await().until(() -> stack.listings(plugin).size() > before + 3);
              List<PluginListing> listings = stack.listings(plugin);
              assertThat(listings.subList(before + 1, listings.size()))
                  .allSatisfy(
                      each -> {
                        assertThat(each.getSnapshotId()).startsWith(acceptor + "/");
                        assertThat(each.getVolumes())
                            .containsExactly(new ListedVolume("vol-1", List.of("i-1")));
                        assertThat(each.getComplete()).isTrue();
                      });
            });
  }

  @Test
  void instancesAreReportedByTheOneWorkerThatTakesTheirCalls() {
    Map<String, String> settings = Map.of("discovery.interval.ms", "300");
    startWorker("w1", settings);
    Worker second = startWorker("w2", settings);
    await().until(() -> stack.members(plugin) == 2);
    AtomicInteger attempts = new AtomicInteger();

    // Until the plugin's partition has found its place the reports change hands with it.
    await()
        .untilAsserted(
            () -> {
              String attempt = "t" + attempts.incrementAndGet();
              stack.dispatch(work(attempt, attach("vol-1")).build());
              String acceptor = outcome(attempt).getWorker();
              int before = controllerReports().size();
              await().until(() -> controllerReports().size() > before + 4);
              List<PluginInstance> reports = controllerReports();
              assertThat(reports.subList(before + 1, reports.size()))
                  .extracting(PluginInstance::getWorker)
                  .containsOnly(acceptor);
            });

    second.close();
    int before = controllerReports().size();
    await().until(() -> controllerReports().size() > before + 2);
    assertThat(controllerReports())
        .extracting(PluginInstance::getHealth)
        .containsOnly(PluginHealth.HEALTHY);
  }

  private List<PluginInstance> controllerReports() {
    return stack.instances(plugin).stream()
        .filter(each -> each.getRole() == PluginRole.CONTROLLER)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void nothingIsLostOrCalledTwiceWhenWorkersComeAndGo(String protocol) {
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).takes(Latency.fixed(Duration.ofMillis(300))));
    Map<String, String> settings = Map.of("kafka.group.protocol", protocol);
    Worker first = startWorker("w1", settings);
    await().until(() -> stack.members(plugin) == 1);
    int sent = 0;
    for (; sent < 10; sent++) {
      stack.dispatch(laneOf(sent));
    }
    startWorker("w2", settings);
    await().until(() -> stack.members(plugin) == 2);
    for (; sent < 20; sent++) {
      stack.dispatch(laneOf(sent));
    }
    first.close();
    for (; sent < 30; sent++) {
      stack.dispatch(laneOf(sent));
    }

    int all = sent;
    await().until(() -> stack.outcomes(plugin).size() >= all);

    assertThat(stack.outcomes(plugin)).hasSize(all);
    assertThat(stack.outcomes(plugin)).allMatch(each -> each.getFate() == CallFate.ANSWERED);
    assertThat(log.calls(Rpc.CONTROLLER_PUBLISH)).hasSize(all);
    assertThat(stack.acceptances(plugin)).hasSize(all);
  }

  private Work laneOf(int i) {
    return work("t" + i, attach("vol-" + i)).setLane(plugin + "/" + i).build();
  }
}
