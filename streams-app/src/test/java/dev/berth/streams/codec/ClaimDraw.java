package dev.berth.streams.codec;

import dev.berth.records.AccessMode;
import dev.berth.records.AllocFate;
import dev.berth.records.AttachmentMode;
import dev.berth.records.AttachmentState;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimState;
import dev.berth.records.ClientStatus;
import dev.berth.records.CsiCall;
import dev.berth.records.DesiredStatus;
import dev.berth.records.EndCause;
import dev.berth.records.HoldCode;
import dev.berth.records.JobType;
import dev.berth.records.NodeStep;
import dev.berth.records.RejectCode;
import dev.berth.records.RpcCode;
import dev.berth.records.Staging;
import dev.berth.records.VolumeState;
import dev.berth.streams.claims.AllocMemory;
import dev.berth.streams.claims.Attachment;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimAsk;
import dev.berth.streams.claims.ClaimTerms;
import dev.berth.streams.claims.Letter;
import dev.berth.streams.claims.Volume;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.work.Hold;
import java.time.Duration;

/**
 * Draws rows of the claims' tables: every nullable part is drawn null and not null, every enum with
 * all its values.
 */
final class ClaimDraw {
  private ClaimDraw() {}

  static VolumeKey key(Draw draw) {
    return new VolumeKey(draw.text(), draw.text());
  }

  static Volume volume(Draw draw) {
    return new Volume(
        CommandCodecsTest.spec(draw),
        draw.of(VolumeState.class),
        origin(draw),
        draw.orNull(() -> new Volume.Proposal(CommandCodecsTest.spec(draw), origin(draw))),
        draw.orNull(draw::text),
        draw.time(),
        draw.orNull(() -> draw.of(AccessMode.class)),
        draw.orNull(() -> draw.of(AttachmentMode.class)));
  }

  private static Volume.Origin origin(Draw draw) {
    return new Volume.Origin(draw.text(), draw.text(), draw.text());
  }

  static Hold hold(Draw draw) {
    return new Hold(
        draw.of(HoldCode.class),
        draw.text(),
        draw.orNull(() -> draw.of(RpcCode.class)),
        (int) draw.number(),
        draw.time(),
        draw.time(),
        draw.orNull(draw::time),
        draw.flag());
  }

  static ClaimAsk ask(Draw draw, String scheduler) {
    return new ClaimAsk(
        scheduler,
        draw.text(),
        draw.text(),
        draw.orNull(draw::text),
        draw.of(JobType.class),
        draw.of(ClaimMode.class),
        draw.of(AccessMode.class),
        draw.of(AttachmentMode.class),
        draw.orNull(() -> Duration.ofMillis(draw.number())),
        draw.time());
  }

  static ClaimTerms terms(Draw draw) {
    return new ClaimTerms(
        draw.text(),
        draw.text(),
        draw.orNull(draw::text),
        draw.flag(),
        draw.texts(),
        draw.texts(),
        draw.orNull(draw::text),
        draw.list(draw::text));
  }

  static Claim claim(Draw draw) {
    ClaimState state = draw.of(ClaimState.class);
    boolean leaving = state.compareTo(ClaimState.TAKEN) > 0;
    String scheduler = draw.text();
    return new Claim(
        key(draw),
        draw.text(),
        ask(draw, scheduler),
        draw.number(),
        draw.number(),
        draw.of(ClientStatus.class),
        draw.of(DesiredStatus.class),
        state,
        draw.time(),
        draw.flag(),
        leaving ? new Claim.Ending(draw.time(), cause(draw)) : null,
        state == ClaimState.WAITING ? draw.orNull(() -> terms(draw)) : terms(draw),
        draw.orNull(draw::number),
        draw.of(NodeStep.class),
        draw.orNull(draw::text),
        draw.flag(),
        draw.orNull(draw::text),
        draw.orNull(() -> draw.of(CsiCall.class)),
        draw.flag(),
        draw.orNull(draw::texts),
        draw.orNull(() -> hold(draw)),
        draw.orNull(
            () -> new Letter(draw.of(HoldCode.class), draw.orNull(() -> draw.of(CsiCall.class)))),
        draw.orNull(() -> new Claim.Rejection(draw.of(RejectCode.class), draw.text())),
        draw.orNull(() -> ask(draw, scheduler)),
        draw.orNull(() -> new Claim.Holder(draw.text(), draw.text())),
        draw.orNull(() -> hold(draw)));
  }

  private static EndCause cause(Draw draw) {
    EndCause cause = draw.of(EndCause.class);
    return cause == EndCause.NONE ? EndCause.REJECTED : cause;
  }

  static Attachment attachment(Draw draw) {
    boolean requesting = draw.flag();
    return new Attachment(
        key(draw),
        draw.text(),
        draw.text(),
        draw.text(),
        draw.orNull(draw::text),
        draw.number(),
        draw.of(AttachmentState.class),
        draw.time(),
        draw.flag(),
        draw.flag(),
        draw.flag(),
        draw.of(AccessMode.class),
        draw.flag(),
        draw.texts(),
        draw.of(Staging.class),
        requesting ? draw.text() : null,
        requesting ? draw.of(CsiCall.class) : null,
        draw.flag(),
        draw.orNull(draw::text),
        draw.flag());
  }

  static AllocMemory memory(Draw draw) {
    return new AllocMemory(
        key(draw),
        draw.text(),
        draw.text(),
        draw.number(),
        draw.of(AllocFate.class),
        draw.orNull(draw::text),
        draw.time());
  }
}
