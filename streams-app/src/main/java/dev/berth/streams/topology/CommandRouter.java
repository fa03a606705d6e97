package dev.berth.streams.topology;

import dev.berth.schemas.topics.Topic;
import dev.berth.streams.cluster.ClusterSignal;
import dev.berth.streams.cluster.Signal;
import dev.berth.streams.codec.ClusterCodecs;
import dev.berth.streams.codec.CommandCheck;
import dev.berth.streams.codec.CommandCodecs;
import dev.berth.streams.command.Answer;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.Refusal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands each command to the processor that decides it, which also answers it.
 *
 * <table>
 * <caption>Where commands go</caption>
 * <tr><td>about a volume</td><td>on to {@link VolumeClaimsProcessor}, as it came</td></tr>
 * <tr><td>fence, unfence, gc</td><td>{@code cluster-commands}, to {@code Cluster}</td></tr>
 * <tr><td>pause, resume</td><td>{@code lane-signals}, to the plugin's partition of {@code
 *     Lanes}</td></tr>
 * </table>
 *
 * One without an author is refused here, whatever it asks.
 */
final class CommandRouter implements Processor<String, byte[], String, Object> {
  /** Name of the processor. Fixed. */
  static final String NAME = "command-router";

  private static final Logger LOG = LoggerFactory.getLogger(CommandRouter.class);

  private final TopologyContext topology;
  private final String claims;

  private @Nullable Task task;

  /**
   * Prepares.
   *
   * @param topology what the topology is built for
   * @param claims name of the child that decides about volumes
   */
  CommandRouter(TopologyContext topology, String claims) {
    this.topology = topology;
    this.claims = claims;
  }

  @Override
  public void init(ProcessorContext<String, Object> context) {
    task = new Task(context);
  }

  @Override
  public void process(Record<String, byte[]> record) {
    if (task == null) {
      throw new IllegalStateException(NAME + " was not initialised");
    }
    task.process(record);
  }

  /** What exists once the task is open. */
  private final class Task {
    private final ProcessorContext<String, Object> context;
    private final Outlets outlets;
    private final Incoming incoming;

    Task(ProcessorContext<String, Object> context) {
      this.context = context;
      outlets = new Outlets(NAME, context, topology);
      incoming =
          new Incoming(topology.topics(), topology.registry(), context, outlets, Topic.COMMANDS);
    }

    void process(Record<String, byte[]> record) {
      if (record.value() == null) {
        incoming.reject(record, "the value is null: a command cannot be taken back");
        return;
      }
      SpecificRecord read = incoming.read(record);
      if (read instanceof dev.berth.records.Command written) {
        command(record, written);
      }
    }

    private void command(Record<String, byte[]> record, dev.berth.records.Command written) {
      Command command;
      try {
        command = CommandCheck.answerable(written);
      } catch (IllegalArgumentException invalid) {
        incoming.reject(record, String.valueOf(invalid.getMessage()));
        return;
      }
      Optional<String> problem = CommandCheck.problem(command);
      if (problem.isPresent()) {
        refuse(command, problem.get());
      } else {
        route(record, written, command);
      }
    }

    private void refuse(Command command, String why) {
      LOG.info("command refused id={} command={} why={}", command.id(), command.body().name(), why);
      Answer answer = Answer.refused(command, Refusal.INVALID, why, now());
      send(Topic.COMMAND_RESULTS, command.id(), CommandCodecs.ANSWER.encode().apply(answer));
    }

    private void route(
        Record<String, byte[]> record, dev.berth.records.Command written, Command command) {
      if (command.body() instanceof Command.AboutCluster about) {
        send(Topic.CLUSTER_COMMANDS, about.subject(), written);
      } else if (command.body() instanceof Command.AboutPlugin about) {
        Signal signal = new Signal(now(), new ClusterSignal.PassedCommand(command));
        send(Topic.LANE_SIGNALS, about.plugin(), ClusterCodecs.SIGNAL.encode().apply(signal));
      } else {
        context.forward(record.withValue(record.value()), claims);
      }
    }

    private void send(Topic topic, String key, SpecificRecord value) {
      outlets.send(outlets.ready(List.of(new Outlets.Outgoing(topic, key, value))));
    }

    private Instant now() {
      return Instant.ofEpochMilli(context.currentSystemTimeMs());
    }
  }
}
