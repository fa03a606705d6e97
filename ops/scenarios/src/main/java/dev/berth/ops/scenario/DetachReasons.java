package dev.berth.ops.scenario;

import dev.berth.records.AllocEvent;
import dev.berth.records.AssumeDetached;
import dev.berth.records.Call;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClaimRequested;
import dev.berth.records.Command;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.DeregisterVolume;
import dev.berth.records.DetachVolume;
import dev.berth.records.FenceNode;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginInstance;
import dev.berth.records.RegisterVolume;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.RpcCode;
import dev.berth.records.UnblockVolume;
import dev.berth.records.Unmounted;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.topics.Topic;
import dev.berth.workers.call.CallResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * No CU goes out while an alloc that was told to use the volume on that node may be using it:
 * before it stands that the client unmounted, or the node RPCs of that alloc, or a fence, or that
 * the node is gone, or that the node-loss policy takes it for unmounted, or an operator's command.
 * An alloc that was never granted the volume never used it.
 *
 * <p>Judged by what came in, what was replied and what plugins answered, not by any row.
 */
final class DetachReasons {
  private static final String RULE = "no CU without a recorded reason before it";

  private final List<Invariants.Broken> broken = new ArrayList<>();
  private final Map<String, Use> uses = new LinkedHashMap<>();
  private final Map<String, @Nullable Duration> promises = new HashMap<>();
  private final Map<String, NodeStatus> nodes = new HashMap<>();
  private final Map<String, Instant> lostSince = new HashMap<>();
  private final Map<String, Command> commands = new HashMap<>();
  private final Map<String, String> plugins = new HashMap<>();

  /** By namespace/volume@node: the last attach sent for it. */
  private final Map<String, Attach> attached = new HashMap<>();

  /** By namespace/volume/alloc: when it asked, as a number of what happened. */
  private final Map<String, Integer> asked = new HashMap<>();

  /** By plugin@node: the provider's id of the node as its node plugin reports it. */
  private final Map<String, String> reported = new HashMap<>();

  private final PolicyRecords policies = new PolicyRecords();

  private int number;

  private DetachReasons() {}

  /**
   * An attach that was sent.
   *
   * @param machine the provider's id of its node
   * @param number when, as a number of what happened
   */
  private record Attach(String machine, int number) {}

  /**
   * A volume that an alloc was told to use.
   *
   * @param volume namespace/volume
   * @param alloc which alloc
   * @param scheduler whose
   * @param node where
   * @param machine the provider's id of that node, as the volume was attached to it, or as it was
   *     reported when no attach was needed; null when it was not known
   * @param generation of the claim
   * @param promise after how long without contact it stops itself; null when it does not
   */
  private record Use(
      String volume,
      String alloc,
      String scheduler,
      String node,
      @Nullable String machine,
      long generation,
      @Nullable Duration promise) {

    /** Whether a call takes the volume from it: a machine may have had two names, or a name two. */
    boolean meets(Rpc rpc) {
      return machine == null
          ? node.equals(rpc.call().getNode())
          : machine.equals(rpc.externalNode());
    }

    boolean isAt(String ofVolume, String onNode, Attach attach) {
      return volume.equals(ofVolume) && node.equals(onNode) && attach.machine().equals(machine);
    }
  }

  static List<Invariants.Broken> broken(List<Happened> story) {
    DetachReasons rule = new DetachReasons();
    story.forEach(rule::add);
    return rule.broken;
  }

  private void add(Happened happened) {
    number++;
    if (happened instanceof Happened.Called called && called.rpc().kind().equals("CU")) {
      detached(called.rpc());
    } else if (happened instanceof Happened.Called called && called.rpc().kind().equals("CP")) {
      Call attach = called.rpc().call();
      attached.put(
          Subjects.volumeKey(attach) + "@" + attach.getNode(),
          new Attach(called.rpc().externalNode(), number));
    } else if (happened instanceof Happened.Ended ended && ended.rpc().kind().equals("NU")) {
      unpublished(ended.rpc().call(), ended.result());
    } else if (happened instanceof Happened.Written written) {
      policies.add(written.record());
      written(written.record());
      end(this::endsWithItsNode);
    }
  }

  private void detached(Rpc rpc) {
    String volume = Subjects.volumeKey(rpc.call());
    for (Use use : uses.values()) {
      if (use.volume().equals(volume) && use.meets(rpc) && !isLost(use, rpc.started())) {
        broken.add(
            new Invariants.Broken(
                RULE,
                rpc.text() + " while nothing says that " + use.alloc() + " stopped using it there",
                About.volume(volume)));
      }
    }
  }

  /** Whether the node-loss policy takes it for unmounted now. */
  private boolean isLost(Use use, Instant now) {
    return switch (nodeLoss(use)) {
      case "detach" -> nodes.get(use.node()) == NodeStatus.DOWN;
      case "stop-on-disconnect" -> hasStoppedItself(use, now);
      default -> false;
    };
  }

  /**
   * Whether it counts as unmounted from now on, whatever the node says later: the policy takes down
   * for unmounted, at once.
   */
  private boolean endsWithItsNode(Use use) {
    return nodes.get(use.node()) == NodeStatus.DOWN && nodeLoss(use).equals("detach");
  }

  private String nodeLoss(Use use) {
    return policies
        .setting("node-loss", plugins.getOrDefault(use.volume(), ""), use.volume())
        .orElse("stop-on-disconnect");
  }

  private boolean hasStoppedItself(Use use, Instant now) {
    Instant lost = lostSince.get(use.node());
    Duration promise = use.promise();
    return lost != null && promise != null && !lost.plus(promise).isAfter(now);
  }

  private void unpublished(Call call, @Nullable CallResult result) {
    if (result instanceof CallResult.Answered answered
        && (answered.code() == RpcCode.OK || answered.code() == RpcCode.NOT_FOUND)) {
      uses.remove(Subjects.volumeKey(call) + "/" + call.getAlloc().orElse(""));
    }
  }

  private void written(Seen record) {
    if (record.topic() == Topic.NODES) {
      node(record);
    } else if (record.value() instanceof PluginInstance instance) {
      instance
          .getExternalNode()
          .ifPresent(id -> reported.put(instance.getPlugin() + "@" + instance.getNode(), id));
    } else if (record.value() instanceof AllocEvent event) {
      event(event);
    } else if (record.value() instanceof ClaimReply reply) {
      replied(reply);
    } else if (record.value() instanceof Command command) {
      commands.put(command.getCommandId(), command);
    } else if (record.value() instanceof CommandResult result
        && result.getOutcome() == CommandOutcome.OK) {
      commanded(commands.get(result.getCommandId()));
    }
  }

  private void node(Seen record) {
    NodeStatus status = record.value() instanceof Node node ? node.getStatus() : NodeStatus.GONE;
    nodes.put(record.key(), status);
    switch (status) {
      case READY -> {
        // A promise that was kept while nobody heard from the node stays kept.
        end(use -> use.node().equals(record.key()) && hasStoppedItself(use, record.at()));
        lostSince.remove(record.key());
      }
      case GONE -> end(use -> use.node().equals(record.key()));
      default -> lostSince.putIfAbsent(record.key(), record.at());
    }
  }

  private void event(AllocEvent event) {
    String key = event.getNamespace() + "/" + event.getVolume() + "/" + event.getAlloc();
    if (event.getBody() instanceof ClaimRequested claim) {
      asked.put(key, number);
      promises.put(key, claim.getStopOnDisconnectMillis().map(Duration::ofMillis).orElse(null));
    } else if (event.getBody() instanceof Unmounted unmounted) {
      Use use = uses.get(key);
      if (use != null
          && use.scheduler().equals(event.getScheduler())
          && unmounted.getClaimGeneration().map(told -> told >= use.generation()).orElse(true)) {
        uses.remove(key);
      }
    }
  }

  private void replied(ClaimReply reply) {
    if (reply.getOutcome() != ReplyOutcome.GRANTED) {
      return;
    }
    String volume = reply.getNamespace() + "/" + reply.getVolume();
    String key = volume + "/" + reply.getAlloc();
    uses.put(
        key,
        new Use(
            volume,
            reply.getAlloc(),
            reply.getScheduler(),
            reply.getNode(),
            machine(key, reply),
            reply.getClaimGeneration(),
            promises.get(key)));
  }

  /**
   * The machine that the alloc got the volume on; a grant that is repeated moves nobody. Where no
   * attach was made for it, nor stands for others, it is the one that the node plugin reports.
   */
  private @Nullable String machine(String key, ClaimReply reply) {
    Use told = uses.get(key);
    if (told != null && told.generation() == reply.getClaimGeneration()) {
      return told.machine();
    }
    String volume = reply.getNamespace() + "/" + reply.getVolume();
    String node = reply.getNode();
    String now = reported.get(plugins.get(volume) + "@" + node);
    Attach attach = attached.get(volume + "@" + node);
    boolean stands =
        attach != null
            && (now == null
                || attach.number() > asked.getOrDefault(key, 0)
                || uses.values().stream().anyMatch(use -> use.isAt(volume, node, attach)));
    return attach != null && stands ? attach.machine() : now;
  }

  private void commanded(@Nullable Command command) {
    if (command == null) {
      return;
    }
    Object body = command.getBody();
    if (body instanceof RegisterVolume register) {
      VolumeSpec spec = register.getSpec();
      plugins.put(spec.getNamespace() + "/" + spec.getVolume(), spec.getPlugin());
    } else if (body instanceof FenceNode fence) {
      end(use -> use.node().equals(fence.getNode()));
    } else if (body instanceof DetachVolume detach) {
      String volume = detach.getNamespace() + "/" + detach.getVolume();
      end(use -> use.volume().equals(volume) && use.node().equals(detach.getNode()));
    } else if (body instanceof AssumeDetached assumed) {
      String volume = assumed.getNamespace() + "/" + assumed.getVolume();
      end(use -> use.volume().equals(volume) && use.node().equals(assumed.getNode()));
    } else if (body instanceof UnblockVolume unblock) {
      String volume = unblock.getNamespace() + "/" + unblock.getVolume();
      end(use -> use.volume().equals(volume));
    } else if (body instanceof DeregisterVolume deregister && deregister.getForce()) {
      String volume = deregister.getNamespace() + "/" + deregister.getVolume();
      end(use -> use.volume().equals(volume));
    }
  }

  private void end(Predicate<Use> ended) {
    uses.values().removeIf(ended);
  }
}
