package dev.berth.ops.demo;

import dev.berth.ops.lives.Life;
import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.Connection;
import dev.berth.producers.trace.TracePlan;
import dev.berth.records.AccessMode;
import dev.berth.records.AllocEvent;
import dev.berth.records.Attachment;
import dev.berth.records.Claim;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimReply;
import dev.berth.records.Happening;
import dev.berth.records.LaneStatus;
import dev.berth.records.StuckClaim;
import dev.berth.records.Volume;
import dev.berth.records.VolumeState;
import dev.berth.schemas.topics.Topic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the topics say of a run when it is over.
 *
 * @param findings for the check and the report
 * @param lives the lives with their first decisions
 */
record TopicsRead(DemoResult.TopicFindings findings, List<LifeStory> lives) {

  /** Copies its list. */
  TopicsRead {
    lives = List.copyOf(lives);
  }

  /** Reads them from their beginnings. */
  static TopicsRead of(Connection connection, TracePlan plan, List<Life> lives) {
    try (TopicContent content = new TopicContent(connection)) {
      Reading reading = new Reading(plan);
      content.forEach(
          Topic.ALLOC_EVENTS, AllocEvent.class, e -> e.value().ifPresent(reading::asked));
      content.forEach(
          Topic.CLAIM_REPLIES,
          ClaimReply.class,
          e -> e.value().ifPresent(reading.stories::replied));
      content.forEach(
          Topic.CLAIM_HISTORY, ClaimDecision.class, e -> e.value().ifPresent(reading::decided));
      return new TopicsRead(reading.findings(content), LifeStory.of(lives, reading.decisions));
    }
  }

  private static final class Reading {
    private final TracePlan plan;
    private final ClaimStories stories = new ClaimStories();
    private final Holders holders;
    private final Map<String, Integer> happenings = new HashMap<>();
    private final List<Instant> decisions = new ArrayList<>();
    private int allocEvents;

    private Reading(TracePlan plan) {
      this.plan = plan;
      this.holders = new Holders(PlannedClaims.exclusive(plan));
    }

    private void asked(AllocEvent event) {
      allocEvents++;
      stories.asked(event);
    }

    private void decided(ClaimDecision decision) {
      stories.decided(decision);
      holders.decided(decision);
      for (Happening happening : decision.getHappenings()) {
        happenings.merge(happening.getName(), 1, Integer::sum);
      }
      decisions.add(decision.getNow());
    }

    private DemoResult.TopicFindings findings(TopicContent content) {
      return new DemoResult.TopicFindings(
          stories.stories(),
          allocEvents,
          happenings,
          holders.overlaps(),
          decisions.stream().max(Instant::compareTo),
          List.copyOf(content.table(Topic.CLAIMS, Claim.class).keySet()),
          List.copyOf(content.table(Topic.ATTACHMENTS, Attachment.class).keySet()),
          content.table(Topic.STUCK_CLAIMS, StuckClaim.class).entrySet().stream()
              .map(entry -> stuck(entry.getKey(), entry.getValue()))
              .flatMap(Optional::stream)
              .toList(),
          content.count(Topic.REJECTED_RECORDS),
          notAtRest(
              content.table(Topic.VOLUMES, Volume.class).values(),
              content.table(Topic.LANE_STATUS, LaneStatus.class).values()));
    }

    /** After the last release every volume of the plan is free, and no lane has anything to do. */
    private List<String> notAtRest(Collection<Volume> volumes, Collection<LaneStatus> lanes) {
      Set<String> missing = new TreeSet<>();
      plan.volumes().forEach(volume -> missing.add(volume.id()));
      List<String> lines = new ArrayList<>();
      for (Volume volume : volumes) {
        String id = volume.getSpec().getVolume();
        boolean free =
            volume.getState() == VolumeState.REGISTERED
                && volume.getAccess().isEmpty()
                && volume.getProposed().isEmpty();
        if (!missing.remove(id)) {
          lines.add("volume %s is registered and not in the plan".formatted(id));
        } else if (!free) {
          lines.add(
              "volume %s is %s, access %s, and nobody claims it"
                  .formatted(
                      id,
                      volume.getState(),
                      volume.getAccess().map(AccessMode::name).orElse("none")));
        }
      }
      missing.forEach(id -> lines.add("volume %s is not registered any more".formatted(id)));
      for (LaneStatus lane : lanes) {
        if (lane.getQueued() + lane.getHeld() + lane.getInFlight() > 0) {
          lines.add(
              "plugin %s still has %d calls in line, %d held and %d out"
                  .formatted(
                      lane.getPlugin(), lane.getQueued(), lane.getHeld(), lane.getInFlight()));
        }
      }
      return lines;
    }

    /** An unresolved one, with its reason. */
    private static Optional<String> stuck(String key, StuckClaim claim) {
      return claim.getResolved()
          ? Optional.empty()
          : Optional.of(
              "%s (%s): %s".formatted(key, claim.getState(), claim.getHold().getMessage()));
    }
  }
}
