package dev.berth.streams.topology;

import static dev.berth.streams.topology.GoodRecords.AT;
import static dev.berth.streams.topology.GoodRecords.ask;
import static dev.berth.streams.topology.GoodRecords.command;
import static dev.berth.streams.topology.GoodRecords.event;
import static dev.berth.streams.topology.GoodRecords.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Acceptance;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.CallFate;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.NotSentReason;
import dev.berth.records.Outcome;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.Policy;
import dev.berth.records.RegisterVolume;
import dev.berth.records.RpcCode;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Party;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.policy.Policies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/**
 * One topology under one seed: absurd records of every topic that others write, between them time,
 * and records of a healthy cluster that have to go through whatever came before.
 */
final class FuzzedTopology implements AutoCloseable {
  private static final int STEPS = 300;
  private static final Set<Party> PROCESSORS =
      Set.of(Party.VOLUME_CLAIMS, Party.LANES, Party.CLUSTER);

  /** What others write and a processor reads, by the catalogue. */
  private static final List<Topic> INPUTS =
      Arrays.stream(Topic.values())
          .filter(topic -> !Collections.disjoint(topic.readers(), PROCESSORS))
          .filter(topic -> Collections.disjoint(topic.writers(), PROCESSORS))
          .toList();

  private final Random random;
  private final AbsurdRecords records;
  private final TopologyBench bench = new TopologyBench(FuzzedTopology::all);
  private final FuzzedOutput output = new FuzzedOutput(bench);
  private final List<GenericRecord> work = new ArrayList<>();
  private int healthy;

  FuzzedTopology(long seed) {
    random = new Random(seed);
    records = new AbsurdRecords(random);
  }

  void run() {
    for (int step = 1; step <= STEPS; step++) {
      int chance = random.nextInt(100);
      if (chance < 5) {
        bench.pass(Duration.ofSeconds(List.of(1, 2, 10, 300, 86_400).get(random.nextInt(5))));
      } else if (chance < 40) {
        sensible();
      } else {
        absurd(INPUTS.get(random.nextInt(INPUTS.size())));
      }
      List<FuzzedOutput.Written> written = output.collect();
      written.forEach(it -> records.learn(it.content()));
      written.stream()
          .filter(it -> it.topic() == Topic.PLUGIN_WORK || it.topic() == Topic.NODE_WORK)
          .forEach(it -> work.add(it.value()));
      if (step % 100 == 0) {
        healthyGoesThrough();
      }
    }
    bench.pass(Duration.ofDays(9));
    output.collect();
    bench.readAll();
  }

  // ---- absurd records

  private void absurd(Topic topic) {
    Schema schema = topic.schema().orElseThrow();
    GenericRecord record = records.draw(schema);
    String key = random.nextInt(10) == 0 ? records.text("node") : key(topic, record);
    if (random.nextInt(40) == 0) {
      put(topic, random.nextInt(4) == 0 ? null : key, null);
      return;
    }
    int id = bench.registry().idFor(Registry.valueSubject(bench.name(topic)), schema);
    byte[] bytes = AbsurdRecords.bytes(record, id);
    double ignored = bench.counted("ignored", topic);
    List<FuzzedOutput.Written> written = put(topic, key, bytes);
    boolean rejected = written.stream().anyMatch(FuzzedOutput.Written::isRejection);
    if (topic == Topic.COMMANDS && !rejected) {
      assertThat(written)
          .as("the one answer to %s", record)
          .filteredOn(it -> it.topic() == Topic.COMMAND_RESULTS)
          .extracting(FuzzedOutput.Written::key)
          .containsExactly(record.get("commandId").toString());
    } else if (topic == Topic.ALLOC_EVENTS && !rejected) {
      boolean wasIgnored = bench.counted("ignored", topic) > ignored;
      assertThat(wasIgnored || !written.isEmpty()).as("nothing came of %s", record).isTrue();
    }
  }

  private List<FuzzedOutput.Written> put(Topic topic, @Nullable String key, byte @Nullable [] v) {
    bench.putBytes(topic, key, v);
    List<FuzzedOutput.Written> written = output.written();
    written.stream()
        .filter(FuzzedOutput.Written::isRejection)
        .forEach(it -> assertThat(it.reason()).as("of %s", topic).isNotBlank());
    return written;
  }

  /** The key that the catalogue asks for. */
  private static String key(Topic topic, GenericRecord record) {
    return switch (topic) {
      case ALLOC_EVENTS -> text(record, "namespace") + "/" + text(record, "volume");
      case COMMANDS -> subject((GenericRecord) record.get("body"));
      case NODES -> text(record, "node");
      case PLUGINS ->
          text(record, "plugin")
              + (text(record, "role").equals("NODE") ? "/node@" : "/controller@")
              + text(record, "node");
      case POLICIES -> text(record, "name");
      default -> text(record, "plugin");
    };
  }

  private static String subject(GenericRecord body) {
    if (body.hasField("spec")) {
      return subject((GenericRecord) body.get("spec"));
    } else if (body.hasField("namespace")) {
      return text(body, "namespace") + "/" + text(body, "volume");
    } else if (body.hasField("node")) {
      return text(body, "node");
    }
    return body.hasField("plugin") ? text(body, "plugin") : "gc";
  }

  private static String text(GenericRecord record, String field) {
    return String.valueOf(record.get(field));
  }

  // ---- records that keep the world going

  /** One record as a healthy cluster would write it, about the things that the absurd ones name. */
  private void sensible() {
    String node = "n" + (1 + random.nextInt(3));
    String volume = "v" + (1 + random.nextInt(3));
    switch (random.nextInt(10)) {
      case 0 -> bench.put(Topic.NODES, node, ready(node));
      case 1 -> bench.put(Topic.PLUGINS, "ebs/controller@" + node, controller("ebs", node));
      case 2 -> bench.put(Topic.PLUGINS, "ebs/node@" + node, nodeService("ebs", node));
      case 3 ->
          bench.put(
              Topic.COMMANDS,
              "default/" + volume,
              command(
                  "c" + random.nextInt(),
                  "ops",
                  new RegisterVolume(
                      spec()
                          .setVolume(volume)
                          .setPlugin("ebs")
                          .setExternalId("vol-" + volume)
                          .build())));
      case 4, 5, 6 -> answerSome();
      case 7 ->
          bench.put(
              Topic.ALLOC_EVENTS,
              "default/" + volume,
              event(
                      volume,
                      "a" + random.nextInt(4),
                      random.nextInt(30),
                      new AllocStatusChanged(ClientStatus.COMPLETE, DesiredStatus.STOP))
                  .build());
      default ->
          bench.put(
              Topic.ALLOC_EVENTS,
              "default/" + volume,
              claim("default", volume, "a" + random.nextInt(4), node, random.nextInt(20)));
    }
  }

  /** A worker accepts a work record and reports something of each of its calls. */
  private void answerSome() {
    if (work.isEmpty()) {
      return;
    }
    GenericRecord taken = work.remove(work.size() - 1);
    RpcCode[] codes = RpcCode.values();
    List<?> calls = (List<?>) taken.get("calls");
    for (int index = 0; index < calls.size(); index++) {
      answer(
          text(taken, "plugin"),
          text(taken, "attemptId"),
          index,
          text((GenericRecord) calls.get(index), "requestId"),
          random.nextBoolean() ? RpcCode.OK : codes[random.nextInt(codes.length)]);
    }
  }

  /** A cluster of its own, from the first report to the grant. */
  private void healthyGoesThrough() {
    healthy++;
    String plugin = "healthy-" + healthy;
    String node = "healthy-node-" + healthy;
    String volume = "v" + healthy;
    bench.put(
        Topic.POLICIES,
        "plugin/" + plugin,
        new Policy(
            "plugin/" + plugin,
            Map.of("node-step", "client", "ready-timeout", "24h"),
            "ops",
            "",
            AT));
    bench.put(Topic.NODES, node, ready(node));
    bench.put(Topic.PLUGINS, plugin + "/controller@" + node, controller(plugin, node));
    bench.put(Topic.PLUGINS, plugin + "/node@" + node, nodeService(plugin, node));
    bench.put(
        Topic.COMMANDS,
        "healthy/" + volume,
        command(
            "healthy-" + healthy,
            "ops",
            new RegisterVolume(
                spec()
                    .setNamespace("healthy")
                    .setVolume(volume)
                    .setPlugin(plugin)
                    .setExternalId("vol")
                    .build())));
    bench.put(
        Topic.ALLOC_EVENTS, "healthy/" + volume, claim("healthy", volume, "healthy", node, 1));
    GenericRecord attach =
        output.written().stream()
            .filter(it -> it.topic() == Topic.PLUGIN_WORK && plugin.equals(it.key()))
            .map(FuzzedOutput.Written::value)
            .findFirst()
            .orElseThrow(() -> new AssertionError("no attach of a healthy volume goes out"));
    answer(
        plugin,
        text(attach, "attemptId"),
        0,
        text((GenericRecord) ((List<?>) attach.get("calls")).get(0), "requestId"),
        RpcCode.OK);
    assertThat(output.written())
        .filteredOn(it -> it.topic() == Topic.CLAIM_REPLIES)
        .extracting(it -> text(it.value(), "outcome"))
        .containsExactly("GRANTED");
  }

  private void answer(String plugin, String attempt, int index, String request, RpcCode code) {
    bench.put(
        Topic.WORK_ACCEPTANCES,
        plugin,
        new Acceptance(attempt, attempt + "-a", plugin, "w", 120_000L, AT));
    bench.put(
        Topic.WORK_OUTCOMES,
        plugin,
        Outcome.newBuilder()
            .setAttemptId(attempt)
            .setAcceptanceId(attempt + "-a")
            .setRequestId(request)
            .setCallIndex(index)
            .setPlugin(plugin)
            .setWorker("w")
            .setFate(CallFate.ANSWERED)
            .setNotSent(NotSentReason.NONE)
            .setCode(code)
            .setStartedAt(AT)
            .setEndedAt(AT)
            .build());
  }

  private static Node ready(String node) {
    return new Node(node, "nomad", NodeStatus.READY, true, AT);
  }

  private static PluginInstance controller(String plugin, String node) {
    return instance(plugin, node, PluginRole.CONTROLLER).setAttach(true).build();
  }

  private static PluginInstance nodeService(String plugin, String node) {
    return instance(plugin, node, PluginRole.NODE).setExternalNode("i-" + node).build();
  }

  private static PluginInstance.Builder instance(String plugin, String node, PluginRole role) {
    return PluginInstance.newBuilder()
        .setPlugin(plugin)
        .setNode(node)
        .setRole(role)
        .setHealth(PluginHealth.HEALTHY)
        .setSeenAt(AT);
  }

  private static AllocEvent claim(
      String namespace, String volume, String alloc, String node, long index) {
    return event(volume, alloc, index, ask().setNode(node).build()).setNamespace(namespace).build();
  }

  private static void all(Topology topology, TopologyContext context) {
    VolumeClaimsSubtopology.addTo(topology, context);
    LanesSubtopology.addTo(topology, context);
    ClusterSubtopology.addTo(topology, context, Policies.DEFAULTS);
  }

  @Override
  public void close() {
    bench.close();
  }
}
