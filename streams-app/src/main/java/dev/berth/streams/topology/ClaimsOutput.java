package dev.berth.streams.topology;

import dev.berth.records.ClaimDecision;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.codec.AttachmentCodec;
import dev.berth.streams.codec.ClaimCodec;
import dev.berth.streams.codec.Codec;
import dev.berth.streams.codec.CommandCodecs;
import dev.berth.streams.codec.DecisionCodec;
import dev.berth.streams.codec.LaneRequestCodec;
import dev.berth.streams.codec.ListingCodecs;
import dev.berth.streams.codec.ReplyCodec;
import dev.berth.streams.codec.StuckClaimCodec;
import dev.berth.streams.codec.VolumeCodec;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/**
 * Turns decisions about volumes into records: the tables' changes, the effects, and the decision
 * itself as history.
 */
final class ClaimsOutput {
  /** Tables that have a topic of their own. */
  private static final Map<String, Published<?>> PUBLISHED =
      Map.of(
          ClaimTables.VOLUMES.name(),
              new Published<>(Topic.VOLUMES, ClaimTables.VOLUMES, VolumeCodec.VOLUME),
          ClaimTables.CLAIMS.name(),
              new Published<>(Topic.CLAIMS, ClaimTables.CLAIMS, ClaimCodec.CLAIM),
          ClaimTables.ATTACHMENTS.name(),
              new Published<>(
                  Topic.ATTACHMENTS, ClaimTables.ATTACHMENTS, AttachmentCodec.ATTACHMENT));

  private final Outlets outlets;

  ClaimsOutput(Outlets outlets) {
    this.outlets = outlets;
  }

  /**
   * Makes every record of a decision before any is sent, so that a record that cannot be made
   * leaves nothing half done.
   *
   * @param cause record the decision was made of
   * @param times times of the steps before the decision
   */
  List<Outlets.Ready> prepare(
      VolumeKey key,
      Instant now,
      long policyVersion,
      SpecificRecord cause,
      StepTimes times,
      Decision<ClaimsEffect> decision) {
    List<Outlets.Outgoing> records = new ArrayList<>();
    for (Change change : decision.changes()) {
      Published<?> published = PUBLISHED.get(change.table().name());
      if (published != null) {
        records.add(published.record(change));
      }
    }
    decision.effects().forEach(effect -> add(effect, now, records));
    ClaimDecision history = DecisionCodec.decision(key, cause, now, policyVersion, decision);
    if (!DecisionCodec.isQuiet(history)) {
      records.add(new Outlets.Outgoing(Topic.CLAIM_HISTORY, key.toString(), history));
    }
    return outlets.ready(records.stream().map(record -> timed(record, times, now)).toList());
  }

  private static Outlets.Outgoing timed(Outlets.Outgoing record, StepTimes cause, Instant now) {
    return new Outlets.Outgoing(
        record.topic(), record.key(), record.value(), ClaimTimes.on(record.topic(), cause, now));
  }

  private static void add(ClaimsEffect effect, Instant now, List<Outlets.Outgoing> records) {
    if (effect instanceof ClaimsEffect.Replied replied) {
      records.add(
          new Outlets.Outgoing(
              Topic.CLAIM_REPLIES, replied.alloc(), ReplyCodec.reply(replied, now)));
    } else if (effect instanceof ClaimsEffect.Requested requested) {
      records.add(
          new Outlets.Outgoing(
              Topic.LANE_REQUESTS,
              requested.request().plugin(),
              LaneRequestCodec.LANE_REQUEST.encode().apply(requested.request())));
    } else if (effect instanceof ClaimsEffect.Answered answered) {
      records.add(
          new Outlets.Outgoing(
              Topic.COMMAND_RESULTS,
              answered.answer().commandId(),
              CommandCodecs.ANSWER.encode().apply(answered.answer())));
    } else if (effect instanceof ClaimsEffect.Drifted drifted) {
      records.add(
          new Outlets.Outgoing(
              Topic.DRIFT_FINDINGS,
              drifted.drift().plugin(),
              ListingCodecs.finding(drifted.drift())));
    } else if (effect instanceof ClaimsEffect.Stuck stuck) {
      records.add(
          new Outlets.Outgoing(
              Topic.STUCK_CLAIMS,
              StuckClaimCodec.key(stuck.letter()),
              StuckClaimCodec.stuck(stuck, now)));
    } else if (effect instanceof ClaimsEffect.Resolved resolved) {
      String key = StuckClaimCodec.key(resolved.letter());
      records.add(
          new Outlets.Outgoing(Topic.STUCK_CLAIMS, key, StuckClaimCodec.resolved(resolved, now)));
      records.add(new Outlets.Outgoing(Topic.STUCK_CLAIMS, key, null));
    }
  }

  /** Sends what was prepared. */
  void send(List<Outlets.Ready> prepared) {
    outlets.send(prepared);
  }

  private record Published<V>(
      Topic topic, Table<V> table, Codec<V, ? extends SpecificRecord> codec) {
    Outlets.Outgoing record(Change change) {
      SpecificRecord value =
          change instanceof Change.Put<?> put
              ? codec.encode().apply(table.type().cast(put.value()))
              : null;
      return new Outlets.Outgoing(topic, change.key(), value);
    }
  }
}
