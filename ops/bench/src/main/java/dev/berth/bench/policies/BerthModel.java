package dev.berth.bench.policies;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.JobType;
import dev.berth.records.NodeStatus;
import dev.berth.records.ReplyOutcome;
import dev.berth.streams.claims.ClaimAsk;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.command.Command;
import dev.berth.streams.work.Work;
import java.util.HashMap;
import java.util.Map;

/**
 * Berth itself: its own deciders in virtual time, with a fixed time for each hop through a topic.
 * What stands in for Kafka, schedulers and workers is in {@link BerthStreams} and {@link
 * BerthWorker}.
 */
final class BerthModel implements Policy {
  private final World world;
  private final BerthStreams streams;
  private final BerthWorker worker;
  private final Map<String, Long> indexes = new HashMap<>();
  private final Map<String, Use> asked = new HashMap<>();
  private int commands;

  /**
   * Berth with every node and plugin well and every volume registered.
   *
   * @param lanes what shares a lane: plugin, node, volume or volume-node
   */
  BerthModel(World world, String lanes) {
    this.world = world;
    streams = new BerthStreams(world.time(), lanes, this::replied, this::dispatched);
    worker = new BerthWorker(world, streams);
    BerthSetup.of(world.trial(), streams);
  }

  // ---- what its scheduler says

  @Override
  public void claimed(Use use) {
    asked.put(use.id(), use);
    say(
        use,
        new ClaimsEvent.Asked(
            new ClaimAsk(
                BerthSetup.SCHEDULER,
                "r-" + use.id(),
                use.node(),
                null,
                JobType.SERVICE,
                ClaimMode.WRITE,
                access(use),
                AttachmentMode.FILE_SYSTEM,
                null,
                streams.now())));
  }

  static AccessMode access(Use use) {
    return use.exclusive() ? AccessMode.SINGLE_NODE_WRITER : AccessMode.MULTI_NODE_MULTI_WRITER;
  }

  @Override
  public void ended(Use use) {
    say(use, new ClaimsEvent.StatusChanged(ClientStatus.COMPLETE, DesiredStatus.RUN));
  }

  @Override
  public void unmounted(Use use) {
    say(use, new ClaimsEvent.Unmounted(null));
  }

  @Override
  public void lost(Use use) {
    say(use, new ClaimsEvent.StatusChanged(ClientStatus.LOST, DesiredStatus.STOP));
  }

  @Override
  public void nodeDown(String node) {
    streams.node(node, NodeStatus.DOWN);
  }

  @Override
  public void nodeFenced(String node) {
    command(new Command.FenceNode(node));
  }

  @Override
  public void nodeBack(String node) {
    streams.node(node, NodeStatus.READY);
    command(new Command.UnfenceNode(node));
  }

  private void command(Command.Body body) {
    commands++;
    streams.command(new Command("c" + commands, "operator", "known", streams.now(), body));
  }

  private void say(Use use, ClaimsEvent.Statement statement) {
    long index = indexes.merge(use.id(), 1L, Long::sum);
    VolumeKey key = BerthSetup.key(use.volume());
    streams.say(new ClaimsEvent.Stated(key, BerthSetup.SCHEDULER, index, use.id(), statement));
  }

  // ---- what it answers

  private void replied(ClaimsEffect.Replied reply) {
    Use use = asked.get(reply.alloc());
    if (use == null) {
      return;
    }
    if (reply.outcome() == ReplyOutcome.GRANTED) {
      world.granted(use);
    } else if (reply.outcome() == ReplyOutcome.REJECTED) {
      world.rejected(use);
    }
  }

  private void dispatched(Work work) {
    worker.accept(work);
  }
}
