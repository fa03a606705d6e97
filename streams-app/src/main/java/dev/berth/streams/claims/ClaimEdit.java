package dev.berth.streams.claims;

import dev.berth.records.ClaimState;
import dev.berth.records.ClientStatus;
import dev.berth.records.CsiCall;
import dev.berth.records.DesiredStatus;
import dev.berth.records.NodeStep;
import dev.berth.streams.work.Hold;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A changed copy of a claim in the making. */
final class ClaimEdit {
  private final Claim from;
  private ClaimAsk ask;
  private long index;
  private ClientStatus client;
  private DesiredStatus desired;
  private ClaimState state;
  private Instant stateSince;
  private boolean granted;
  private Claim.@Nullable Ending ending;
  private @Nullable ClaimTerms terms;
  private @Nullable Long attachmentGeneration;
  private NodeStep nodeStep;
  private @Nullable String unmountError;
  private boolean nodePublishAsked;
  private @Nullable String request;
  private @Nullable CsiCall requestCall;
  private boolean withdrawing;
  private @Nullable Map<String, String> publishContext;
  private @Nullable Hold hold;
  private @Nullable Letter letter;
  private Claim.@Nullable Rejection rejected;
  private @Nullable ClaimAsk again;
  private Claim.@Nullable Holder heldBy;
  private @Nullable Hold setAside;

  ClaimEdit(Claim from) {
    this.from = from;
    ask = from.ask();
    index = from.index();
    client = from.client();
    desired = from.desired();
    state = from.state();
    stateSince = from.stateSince();
    granted = from.granted();
    ending = from.ending();
    terms = from.terms();
    attachmentGeneration = from.attachmentGeneration();
    nodeStep = from.nodeStep();
    unmountError = from.unmountError();
    nodePublishAsked = from.nodePublishAsked();
    request = from.request();
    requestCall = from.requestCall();
    withdrawing = from.withdrawing();
    publishContext = from.publishContext();
    hold = from.hold();
    letter = from.letter();
    rejected = from.rejected();
    again = from.again();
    heldBy = from.heldBy();
    setAside = from.setAside();
  }

  ClaimEdit ask(ClaimAsk value) {
    ask = value;
    return this;
  }

  ClaimEdit index(long value) {
    index = Math.max(index, value);
    return this;
  }

  ClaimEdit status(ClientStatus newClient, DesiredStatus newDesired) {
    client = newClient;
    desired = newDesired;
    return this;
  }

  ClaimEdit state(ClaimState value, Instant now) {
    stateSince = value == state ? stateSince : now;
    state = value;
    return this;
  }

  ClaimEdit granted() {
    granted = true;
    return this;
  }

  ClaimEdit ending(Claim.Ending value) {
    ending = value;
    return this;
  }

  ClaimEdit terms(ClaimTerms value) {
    terms = value;
    return this;
  }

  ClaimEdit attachedBy(@Nullable Long generation) {
    attachmentGeneration = generation;
    return this;
  }

  ClaimEdit nodeStep(NodeStep value) {
    nodeStep = value;
    return this;
  }

  ClaimEdit unmountError(@Nullable String value) {
    unmountError = value;
    return this;
  }

  ClaimEdit nodePublishAsked(boolean value) {
    nodePublishAsked = value;
    return this;
  }

  ClaimEdit requesting(String value, CsiCall call) {
    request = value;
    requestCall = call;
    withdrawing = false;
    return this;
  }

  ClaimEdit withdrawing() {
    withdrawing = true;
    return this;
  }

  ClaimEdit settled() {
    request = null;
    requestCall = null;
    withdrawing = false;
    return this;
  }

  ClaimEdit publishContext(@Nullable Map<String, String> value) {
    publishContext = value;
    return this;
  }

  ClaimEdit hold(Hold value) {
    hold = value;
    return this;
  }

  ClaimEdit told(Letter value) {
    letter = value;
    return this;
  }

  /** Keeps the hold of a call that is taken back, or nothing any more. */
  ClaimEdit setAside(@Nullable Hold value) {
    setAside = value;
    return this;
  }

  ClaimEdit free() {
    hold = null;
    letter = null;
    setAside = null;
    return this;
  }

  ClaimEdit rejected(Claim.Rejection value) {
    rejected = value;
    return this;
  }

  ClaimEdit again(@Nullable ClaimAsk value) {
    again = value;
    return this;
  }

  ClaimEdit heldBy(Claim.@Nullable Holder value) {
    heldBy = value;
    return this;
  }

  Claim done() {
    return new Claim(
        from.key(),
        from.alloc(),
        ask,
        from.generation(),
        index,
        client,
        desired,
        state,
        stateSince,
        granted,
        ending,
        terms,
        attachmentGeneration,
        nodeStep,
        unmountError,
        nodePublishAsked,
        request,
        requestCall,
        withdrawing,
        publishContext,
        hold,
        letter,
        rejected,
        again,
        heldBy,
        setAside);
  }
}
