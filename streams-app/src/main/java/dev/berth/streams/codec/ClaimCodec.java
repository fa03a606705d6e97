package dev.berth.streams.codec;

import dev.berth.records.ClaimHolder;
import dev.berth.records.ClaimState;
import dev.berth.records.EndCause;
import dev.berth.records.HoldCode;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimAsk;
import dev.berth.streams.claims.ClaimTerms;
import dev.berth.streams.claims.Letter;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.work.Hold;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Codec of the rows of the table {@code claims}. */
public final class ClaimCodec {
  /** A claim. */
  public static final Codec<Claim, dev.berth.records.Claim> CLAIM =
      new Codec<>(
          Claim.class, dev.berth.records.Claim.class, ClaimCodec::encode, ClaimCodec::decode);

  private ClaimCodec() {}

  private static dev.berth.records.Claim encode(Claim claim) {
    ClaimAsk ask = claim.ask();
    Claim.Ending ending = claim.ending();
    Claim.Rejection rejected = claim.rejected();
    Letter letter = claim.letter();
    Claim.Holder holder = claim.heldBy();
    Map<String, String> ownContext = claim.publishContext();
    return dev.berth.records.Claim.newBuilder()
        .setNamespace(claim.key().namespace())
        .setVolume(claim.key().volume())
        .setAlloc(claim.alloc())
        .setScheduler(ask.scheduler())
        .setNode(ask.node())
        .setJob(ask.job())
        .setJobType(ask.jobType())
        .setGeneration(claim.generation())
        .setIndex(claim.index())
        .setRequestId(ask.requestId())
        .setMode(ask.mode())
        .setAccess(ask.access())
        .setAttachment(ask.attachment())
        .setState(claim.state())
        .setGranted(claim.granted())
        .setClient(claim.client())
        .setDesired(claim.desired())
        .setStopOnDisconnectMillis(ClaimAskCodec.millis(ask.stopOnDisconnect()))
        .setClaimedAt(ask.at())
        .setStateSince(claim.stateSince())
        .setEndedAt(ending == null ? null : ending.at())
        .setEndCause(ending == null ? EndCause.NONE : ending.cause())
        .setTerms(encode(claim.terms()))
        .setAttachmentGeneration(claim.attachmentGeneration())
        .setNodeStep(claim.nodeStep())
        .setUnmountError(claim.unmountError())
        .setNodePublishAsked(claim.nodePublishAsked())
        .setRequest(claim.request())
        .setRequestCall(claim.requestCall())
        .setWithdrawing(claim.withdrawing())
        .setPublishContext(ownContext == null ? Map.of() : ownContext)
        .setOwnPublishContext(ownContext != null)
        .setHold(encode(claim.hold()))
        .setReported(claim.reported())
        .setReportedCode(letter == null ? null : letter.code())
        .setReportedStep(letter == null ? null : letter.step())
        .setRejected(rejected == null ? null : rejected.code())
        .setRejectMessage(rejected == null ? null : rejected.message())
        .setAgain(encode(claim.again()))
        .setHeldBy(holder == null ? null : new ClaimHolder(holder.alloc(), holder.node()))
        .setSetAside(encode(claim.setAside()))
        .build();
  }

  private static dev.berth.records.@Nullable ClaimTerms encode(@Nullable ClaimTerms terms) {
    return terms == null
        ? null
        : dev.berth.records.ClaimTerms.newBuilder()
            .setPlugin(terms.plugin())
            .setExternalVolume(terms.externalVolume())
            .setExternalNode(terms.externalNode())
            .setControllerRequired(terms.controllerRequired())
            .setContext(terms.context())
            .setSecrets(terms.secrets())
            .setFsType(terms.fsType())
            .setMountFlags(terms.mountFlags())
            .build();
  }

  private static dev.berth.records.@Nullable Hold encode(@Nullable Hold hold) {
    return hold == null ? null : HoldCodec.HOLD.encode().apply(hold);
  }

  private static dev.berth.records.@Nullable ReclaimAsk encode(@Nullable ClaimAsk again) {
    return again == null ? null : ClaimAskCodec.encode(again);
  }

  private static Claim decode(dev.berth.records.Claim row) {
    return new Claim(
        new VolumeKey(row.getNamespace(), row.getVolume()),
        row.getAlloc(),
        ClaimAskCodec.decode(row),
        row.getGeneration(),
        row.getIndex(),
        row.getClient(),
        row.getDesired(),
        row.getState(),
        row.getStateSince(),
        row.getGranted(),
        ending(row),
        decode(row.getTerms()),
        row.getAttachmentGeneration().orElse(null),
        row.getNodeStep(),
        row.getUnmountError().orElse(null),
        row.getNodePublishAsked(),
        row.getRequest().orElse(null),
        row.getRequestCall().orElse(null),
        row.getWithdrawing(),
        ownContext(row),
        row.getHold().map(HoldCodec.HOLD.decode()).orElse(null),
        letter(row),
        row.getRejected()
            .map(code -> new Claim.Rejection(code, row.getRejectMessage().orElse("")))
            .orElse(null),
        row.getAgain().map(again -> ClaimAskCodec.decode(again, row.getScheduler())).orElse(null),
        row.getHeldBy()
            .map(holder -> new Claim.Holder(holder.getAlloc(), holder.getNode()))
            .orElse(null),
        row.getSetAside().map(HoldCodec.HOLD.decode()).orElse(null));
  }

  /** A row of before an empty context could be a claim's own has one of its own if there is any. */
  private static @Nullable Map<String, String> ownContext(dev.berth.records.Claim row) {
    Map<String, String> context = row.getPublishContext();
    return row.getOwnPublishContext() || !context.isEmpty() ? context : null;
  }

  /** A row of before the letter's reason was kept: no reason is like it, so it is told anew. */
  private static @Nullable Letter letter(dev.berth.records.Claim row) {
    return row.getReported()
        ? new Letter(
            row.getReportedCode().orElse(HoldCode.UNRECOGNIZED), row.getReportedStep().orElse(null))
        : null;
  }

  /**
   * A row on its way out says since when, for its collection counts from then; one that does not,
   * by a hand edit or an older version, is on its way as long as it is in its state. A live row has
   * no end.
   */
  private static Claim.@Nullable Ending ending(dev.berth.records.Claim row) {
    return row.getState().compareTo(ClaimState.TAKEN) <= 0
        ? null
        : new Claim.Ending(row.getEndedAt().orElse(row.getStateSince()), row.getEndCause());
  }

  private static @Nullable ClaimTerms decode(Optional<dev.berth.records.ClaimTerms> terms) {
    return terms
        .map(
            given ->
                new ClaimTerms(
                    given.getPlugin(),
                    given.getExternalVolume(),
                    given.getExternalNode().orElse(null),
                    given.getControllerRequired(),
                    given.getContext(),
                    given.getSecrets(),
                    given.getFsType().orElse(null),
                    given.getMountFlags()))
        .orElse(null);
  }
}
