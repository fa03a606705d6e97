package dev.berth.workers.accept;

import static dev.berth.workers.WorkFixtures.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.records.Acceptance;
import dev.berth.records.LaneStatus;
import dev.berth.records.Work;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import dev.berth.workers.WorkerStack;
import dev.berth.workers.call.LastCheck;
import dev.berth.workers.config.WorkerConfig;
import dev.berth.workers.kafka.KafkaClients;
import dev.berth.workers.kafka.TopicEnd;
import dev.berth.workers.time.Clocks;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each attempt is accepted once at a real broker, wherever on its way a worker is held up. */
class OneAcceptanceIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int WORK_PARTITIONS = 12;
  private static final AtomicInteger TESTS = new AtomicInteger();

  @TempDir static Path shared;
  private static WorkerStack stack;

  private final List<Member> members = new ArrayList<>();
  private String plugin = "";

  @BeforeAll
  static void startStack() {
    // The new protocol's sessions are the broker's: too long for a test by default.
    stack =
        WorkerStack.start(
            shared,
            Map.of(
                "group.consumer.min.session.timeout.ms", "6000",
                "group.consumer.session.timeout.ms", "6000",
                "group.consumer.min.heartbeat.interval.ms", "1000",
                "group.consumer.heartbeat.interval.ms", "2000"));
  }

  @AfterAll
  static void stopStack() {
    stack.close();
  }

  @BeforeEach
  void namePlugin() {
    plugin = "csi" + TESTS.incrementAndGet();
  }

  @AfterEach
  void stopMembers() {
    members.forEach(Member::close);
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void whatWasCommittedWithoutItsWorkersKnowledgeIsCalledByNobody(String protocol) {
    Member worker = start("w1", protocol);
    worker.afterCommit =
        () -> {
          worker.afterCommit = () -> {};
          throw new TimeoutException("no answer to the commit");
        };
    dispatch("t1");
    await().atMost(PATIENCE).until(() -> acceptedAttempts().contains("t1"));

    dispatch("t2");
    await().atMost(PATIENCE).until(() -> worker.begun.size() == 1);
    Member heir = start("w2", protocol);
    worker.close();
    dispatch("t3");
    await().atMost(PATIENCE).until(() -> heir.begun.size() == 1);

    assertThat(worker.begunAttempts()).containsExactly("t2");
    assertThat(heir.begunAttempts()).containsExactly("t3");
    assertThat(acceptedAttempts()).containsExactly("t1", "t2", "t3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void aWorkerThatIsHeldUpBetweenPollAndCommitAcceptsNothingOfWhatOthersHaveTaken(String protocol)
      throws InterruptedException {
    Member zombie = start("w1", protocol);
    CountDownLatch heldUp = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    zombie.beforeTransaction =
        () -> {
          zombie.beforeTransaction = () -> {};
          heldUp.countDown();
          awaitUninterrupted(goesOn);
        };
    dispatch("t1");
    heldUp.await();
    Member heir = start("w2", protocol);
    await().atMost(PATIENCE).until(() -> heir.begun.size() == 1);

    int moves = zombie.moves.get();
    goesOn.countDown();
    await().atMost(PATIENCE).until(() -> zombie.moves.get() > moves && stack.members(plugin) == 2);
    dispatch("t2");

    await().atMost(PATIENCE).until(() -> acceptedAttempts().contains("t2"));
    assertThat(acceptedAttempts()).containsExactly("t1", "t2");
    assertThat(heir.begunAttempts()).startsWith("t1");
    assertThat(zombie.begunAttempts()).doesNotContain("t1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void whatIsAcceptedStaysWithItsWorkerWhenThePartitionMovesBeforeTheSend(String protocol) {
    Member worker = start("w1", protocol);
    dispatch("t1");
    await().atMost(PATIENCE).until(() -> worker.begun.size() == 1);

    Member heir = start("w2", protocol);
    worker.close();
    dispatch("t2");
    await().atMost(PATIENCE).until(() -> heir.begun.size() == 1);

    assertThat(heir.begunAttempts()).containsExactly("t2");
    assertThat(acceptedAttempts()).containsExactly("t1", "t2");
    assertThat(LastCheck.refusal(worker.begun.get(0).time(), Clocks.system().read())).isEmpty();
  }

  private Member start(String worker, String protocol) {
    Member member = new Member(worker, protocol);
    members.add(member);
    member.loop.start();
    await().atMost(PATIENCE).until(() -> stack.hasBegun(plugin, WORK_PARTITIONS));
    return member;
  }

  private void dispatch(String attempt) {
    stack.dispatch(work(attempt).setPlugin(plugin).setLane(attempt).setRoute(plugin).build());
  }

  private List<String> acceptedAttempts() {
    return stack.acceptances(plugin).stream().map(Acceptance::getAttemptId).toList();
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A worker's loop whose transactions can be held up, and that only notes what it would call. */
  private final class Member implements AutoCloseable, OpenCalls {
    private final List<Accepted> begun = new CopyOnWriteArrayList<>();
    private final AtomicInteger moves = new AtomicInteger();
    private final Registry registry;
    private final AcceptLoop loop;
    private volatile Runnable beforeTransaction = () -> {};
    private volatile Runnable afterCommit = () -> {};

    Member(String worker, String protocol) {
      Map<String, String> settings = new HashMap<>(stack.workerSettings(worker));
      settings.put("plugins.a.endpoint", "127.0.0.1:1");
      settings.put("plugins.a.role", "controller");
      settings.put("plugins.a.node", "n1");
      settings.put("kafka.group.protocol", protocol);
      settings.put("kafka.max.poll.interval.ms", "6000");
      WorkerConfig config = WorkerConfig.parse(settings);
      KafkaClients kafka = new KafkaClients(config, new SimpleMeterRegistry());
      Clocks clocks = Clocks.system();
      registry = Registry.connect(config.registry());
      AvroSerde<Work> works = AvroSerde.of(registry, Work.class);
      String transactionalId = worker + "-" + UUID.randomUUID();
      loop =
          new AcceptLoop(
              Set.of(config.topics().name(Topic.PLUGIN_WORK)),
              () -> kafka.groupMember(plugin),
              new AcceptLoop.Parts(
                  plugin,
                  worker,
                  new InGroup(),
                  new AcceptTransaction(
                      () -> hookedTo(kafka.transactional(transactionalId)),
                      config.topics(),
                      AvroSerde.of(registry, Acceptance.class).serializer()),
                  new StartingPoint(
                      kafka::reader,
                      new TopicEnd(kafka::highWatermarks, PATIENCE, clocks),
                      works.deserializer(),
                      AvroSerde.of(registry, LaneStatus.class).deserializer(),
                      config.topics(),
                      Optional.empty()),
                  look -> new Thread(look, "opening").start(),
                  works.deserializer(),
                  this,
                  clocks,
                  () -> UUID.randomUUID().toString()),
              () -> {});
      loop.whenMoved(moves::incrementAndGet);
    }

    @SuppressWarnings("unchecked") // A proxy of the one interface it is asked for.
    private Producer<String, byte[]> hookedTo(Producer<String, byte[]> real) {
      return (Producer<String, byte[]>)
          Proxy.newProxyInstance(
              Producer.class.getClassLoader(),
              new Class<?>[] {Producer.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("beginTransaction")) {
                  beforeTransaction.run();
                }
                try {
                  Object result = method.invoke(real, arguments);
                  if (method.getName().equals("commitTransaction")) {
                    afterCommit.run();
                  }
                  return result;
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    List<String> begunAttempts() {
      return begun.stream().map(each -> each.work().getAttemptId()).toList();
    }

    @Override
    public int room() {
      return 100;
    }

    @Override
    public int take(int wanted) {
      return wanted;
    }

    @Override
    public void giveBack(int places) {}

    @Override
    public void begin(Accepted accepted) {
      begun.add(accepted);
    }

    @Override
    public void close() {
      loop.close();
      registry.close();
    }
  }
}
