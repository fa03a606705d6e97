package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CollectGarbage;
import dev.berth.records.Command;
import dev.berth.records.DetachVolume;
import dev.berth.records.FenceNode;
import dev.berth.records.PassedCommand;
import dev.berth.records.PausePlugin;
import dev.berth.records.ResumePlugin;
import dev.berth.records.RetryVolume;
import dev.berth.records.Signal;
import dev.berth.records.UnblockVolume;
import dev.berth.records.UnfenceNode;
import dev.berth.schemas.topics.Topic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The router of commands")
class CommandRouterTest {
  private final List<Record<String, byte[]>> claims = new ArrayList<>();
  private final TopologyBench bench = new TopologyBench(this::topology);

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  @DisplayName("hands commands about volumes on as they came")
  void volumes() {
    Command detach = command("c1", new DetachVolume("default", "v1", "n1"));
    bench.put(Topic.COMMANDS, "default/v1", detach);
    bench.put(Topic.COMMANDS, "default/v2", command("c2", new RetryVolume("default", "v2", null)));
    bench.put(Topic.COMMANDS, "default/v3", command("c3", new UnblockVolume("default", "v3")));

    assertThat(claims)
        .extracting(Record::key)
        .containsExactly("default/v1", "default/v2", "default/v3");
    assertThat(claims.get(0).value()).isEqualTo(bench.serialize(Topic.COMMANDS, detach));
    assertThat(bench.readBytes(Topic.CLUSTER_COMMANDS)).isEmpty();
    assertThat(bench.readBytes(Topic.LANE_SIGNALS)).isEmpty();
  }

  @Test
  @DisplayName("sends fences and collections to Cluster, under what they are about")
  void cluster() {
    Command fence = command("c1", new FenceNode("n1"));
    Command unfence = command("c2", new UnfenceNode("n1"));
    Command gc = command("c3", new CollectGarbage());
    bench.put(Topic.COMMANDS, "n1", fence);
    bench.put(Topic.COMMANDS, "n1", unfence);
    bench.put(Topic.COMMANDS, "anything", gc);

    List<TestRecord<String, Command>> sent = bench.read(Topic.CLUSTER_COMMANDS, Command.class);
    assertThat(sent).extracting(TestRecord::key).containsExactly("n1", "n1", "gc");
    assertThat(sent).extracting(TestRecord::value).containsExactly(fence, unfence, gc);
    assertThat(claims).isEmpty();
  }

  @Test
  @DisplayName("sends pause and resume to the lanes of their plugin")
  void lanes() {
    Command pause = command("c1", new PausePlugin("ebs"));
    Command resume = command("c2", new ResumePlugin("gce"));
    bench.put(Topic.COMMANDS, "ebs", pause);
    bench.put(Topic.COMMANDS, "gce", resume);

    List<TestRecord<String, Signal>> sent = bench.read(Topic.LANE_SIGNALS, Signal.class);
    assertThat(sent).extracting(TestRecord::key).containsExactly("ebs", "gce");
    assertThat(sent)
        .extracting(record -> record.value().getBody())
        .containsExactly(new PassedCommand(pause), new PassedCommand(resume));
    assertThat(claims).isEmpty();
  }

  @Test
  @DisplayName("puts aside what is no command")
  void rejects() {
    bench.putBytes(Topic.COMMANDS, "default/v1", null);
    bench.putBytes(Topic.COMMANDS, "default/v1", new byte[] {1, 2, 3, 4, 5, 6});

    assertThat(bench.readBytes(Topic.REJECTED_RECORDS))
        .extracting(record -> TopologyBench.headers(record).get("berth.reason"))
        .containsExactly(
            "the value is null: a command cannot be taken back",
            "topic berth.commands: not a Command: the first byte is 1, not 0");
    assertThat(claims).isEmpty();
  }

  @Test
  @DisplayName("puts aside what is too large to be kept without its value")
  void rejectsWithoutValue() {
    bench.putBytes(Topic.COMMANDS, "default/v1", new byte[Topic.LARGEST_RECORD]);

    List<TestRecord<String, byte[]>> rejected = bench.readBytes(Topic.REJECTED_RECORDS);
    assertThat(rejected).extracting(TestRecord::value).containsExactly((byte[]) null);
    assertThat(TopologyBench.headers(rejected.get(0)))
        .containsEntry("berth.omitted.bytes", Integer.toString(Topic.LARGEST_RECORD));
  }

  private void topology(Topology topology, TopologyContext context) {
    Wiring wiring = new Wiring(topology, context).from(Topic.COMMANDS);
    ProcessorSupplier<String, byte[], String, Object> router =
        () -> new CommandRouter(context, "claims");
    ProcessorSupplier<String, byte[], Void, Void> collector =
        () -> (Processor<String, byte[], Void, Void>) claims::add;
    topology.addProcessor(CommandRouter.NAME, router, Wiring.source(Topic.COMMANDS));
    topology.addProcessor("claims", collector, CommandRouter.NAME);
    wiring
        .to(Topic.CLUSTER_COMMANDS, CommandRouter.NAME)
        .to(Topic.LANE_SIGNALS, CommandRouter.NAME)
        .to(Topic.COMMAND_RESULTS, CommandRouter.NAME)
        .to(Topic.REJECTED_RECORDS, CommandRouter.NAME);
  }

  private static Command command(String id, SpecificRecord body) {
    return new Command(id, "ops", "because", Instant.EPOCH, body);
  }
}
