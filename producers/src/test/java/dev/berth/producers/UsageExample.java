package dev.berth.producers;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.JobType;
import dev.berth.records.NodeStatus;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.VolumeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The example of DESIGN.md, which a test holds equal to it and another one runs. */
final class UsageExample {

  final List<String> log = new ArrayList<>();

  @SuppressWarnings("FutureReturnValueIgnored")
  String run(String bootstrapServers, String registryUrl) throws Exception {
    // begin
    Connection connection = Connection.to(bootstrapServers, registryUrl);
    SchedulerConfig config = SchedulerConfig.of("east", connection);
    try (Commands commands = Commands.start(connection);
        NodePublisher nodes = NodePublisher.start(config);
        Scheduler scheduler = Scheduler.start(config)) {

      // Once, and whenever it changes: the volume and the node.
      VolumeSpec volume =
          VolumeSpec.newBuilder()
              .setNamespace("default")
              .setVolume("vol-1")
              .setPlugin("ebs")
              .setExternalId("vol-0a1b2c") // the provider's
              .setCapabilities(
                  List.of(
                      new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
              .build();
      commands.registerVolume(volume, Author.of("deploy", "new service")).get(30, SECONDS);
      nodes.publish("node-a", NodeStatus.READY, true).get(30, SECONDS);

      // Before the alloc's tasks start: claim, and wait for the grant.
      ClaimRequest request =
          ClaimRequest.write("alloc-1", "node-a", "default", "vol-1", AccessMode.SINGLE_NODE_WRITER)
              .job("web", JobType.SERVICE)
              .stopOnDisconnect(Duration.ofMinutes(5))
              .build();
      ClaimReply reply = scheduler.claim(request, waiting -> say(waiting)).get(60, SECONDS);
      if (reply.getOutcome() == ReplyOutcome.REJECTED) {
        return "rejected: " + reply.getMessage();
      }
      mount(reply.getPublishContext());

      // While it lives: every change of its status. After its tasks: the unmount, and the end.
      VolumeUse use = VolumeUse.of("default", "vol-1").ofClaim(reply.getClaimGeneration());
      Alloc alloc = Alloc.of("alloc-1", use);
      scheduler.alloc(alloc, ClientStatus.RUNNING, DesiredStatus.RUN);
      scheduler.unmounted(alloc);
      scheduler.alloc(alloc, ClientStatus.COMPLETE, DesiredStatus.STOP).get(30, SECONDS);
      return "done";
    }
    // end
  }

  private void say(ClaimReply waiting) {
    log.add("waiting " + waiting.getVolume());
  }

  private void mount(Map<String, String> publishContext) {
    log.add("mount " + publishContext);
  }
}
