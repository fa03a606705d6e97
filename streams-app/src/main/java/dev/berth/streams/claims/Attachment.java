package dev.berth.streams.claims;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentState;
import dev.berth.records.CsiCall;
import dev.berth.records.Staging;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One volume in use on one node, shared by the claims there. Where it was published by a controller
 * it is an attachment in the sense of CSI; where no controller is needed it only counts the uses.
 *
 * @param key volume
 * @param node node (scheduler's id)
 * @param plugin plugin id
 * @param externalVolume the provider's volume id
 * @param externalNode the provider's node id; null while unknown
 * @param generation its number; the publish context belongs to it
 * @param state where it is in its life
 * @param since when that state began
 * @param controllerRequired whether a controller was needed when its first claim was taken
 * @param published whether ControllerPublishVolume was asked for
 * @param slotHeld whether an attach slot is reserved for it
 * @param access access mode it is published with
 * @param readOnly read-only flag it is published with; until then whether a reader asked for it
 * @param publishContext publish_context of the attach
 * @param staging what is known of the staging by node workers
 * @param request lane request open for it; null when none
 * @param requestCall call of that request; null when none
 * @param withdrawing whether that request is being taken back
 * @param requestScheduler scheduler of the claim on whose terms that request was asked for; null
 *     when none is open, or an older version asked for it
 * @param mayBeAttached whether an attach that was tried and came to nothing may have made it,
 *     although it is not published: its slot is kept and its detach is owed
 */
public record Attachment(
    VolumeKey key,
    String node,
    String plugin,
    String externalVolume,
    @Nullable String externalNode,
    long generation,
    AttachmentState state,
    Instant since,
    boolean controllerRequired,
    boolean published,
    boolean slotHeld,
    AccessMode access,
    boolean readOnly,
    Map<String, String> publishContext,
    Staging staging,
    @Nullable String request,
    @Nullable CsiCall requestCall,
    boolean withdrawing,
    @Nullable String requestScheduler,
    boolean mayBeAttached) {

  /** Keeps a copy; a request and its call go together. */
  public Attachment {
    publishContext = Map.copyOf(publishContext);
    if ((request == null) != (requestCall == null)) {
      throw new IllegalArgumentException(
          "request " + request + " does not go with call " + requestCall);
    }
  }

  /** Whether a call of this kind is in a lane for it. */
  public boolean requesting(CsiCall call) {
    return requestCall == call;
  }

  /** Whether an attach of it, as it was asked for last, is what a claim needs. */
  boolean askedAs(Claim claim) {
    return access == claim.ask().access() && readOnly != claim.ask().writes();
  }

  /**
   * Whether the volume may be staged on the node, as far as answers and calls on their way tell.
   * What follows from it is looked at where it is asked: an unstaging is owed only while the node
   * can be reached and its plugin stages ({@link DetachRule}); its loss holds a claim while nothing
   * stands in for the unmount ({@link NodeSteps}); a fence leaves it on the node ({@link
   * Detaching}).
   */
  boolean mayBeStaged() {
    // An unstaging on its way changes nothing before it is answered.
    return staging != Staging.NONE || requesting(CsiCall.NODE_STAGE);
  }

  /**
   * Whether it may be at the provider: attached for some of its claims, or by an attach that came
   * to nothing.
   */
  boolean mayBeThere() {
    return published || mayBeAttached;
  }

  /** Whether a claim was told that this is what it has. */
  boolean serves(Claim claim) {
    Long by = claim.attachmentGeneration();
    return by != null && by == generation;
  }

  Attachment state(AttachmentState newState, Instant now) {
    return newState == state ? this : edit().state(newState, now).done();
  }

  /** Published in this way, as far as a call that is asked for now will do it. */
  Attachment publishedAs(AccessMode newAccess, boolean newReadOnly) {
    return edit().publishedAs(newAccess, newReadOnly).done();
  }

  /** Another attachment in its place. */
  Attachment anew(long newGeneration) {
    return edit().generation(newGeneration).done();
  }

  /** Published, with the flag of the call and the context of its answer. */
  Attachment published(boolean sentReadOnly, Map<String, String> context) {
    return edit().publishedAs(access, sentReadOnly).publishContext(context).done();
  }

  /** In use, but not attached by a controller as far as its claims are told. */
  Attachment notPublished() {
    return edit().notPublished().done();
  }

  /** With a slot that the lanes keep for it, or without. */
  Attachment slot(boolean held) {
    return edit().slot(held).done();
  }

  /** With a claim that needs the detach, though its first one did not. */
  Attachment needingController() {
    return edit().controllerRequired(true).done();
  }

  /** Not published, but an attach that reached the plugin may have made it all the same. */
  Attachment perhapsAttached() {
    return edit().controllerRequired(true).mayBeAttached(true).done();
  }

  /** As it was before an attach that came to nothing, which was the first for it. */
  Attachment stillNotPublished(boolean needsController) {
    return edit().slot(false).controllerRequired(needsController).done();
  }

  Attachment at(String knownExternalNode) {
    return edit().at(knownExternalNode).done();
  }

  Attachment staging(Staging newStaging) {
    return edit().staging(newStaging).done();
  }

  /** With a call in a lane, asked for on the terms of a claim. */
  Attachment requesting(String newRequest, CsiCall call, Claim on) {
    return edit().request(newRequest, call, on.ask().scheduler()).done();
  }

  Attachment withdrawingRequest() {
    return edit().withdrawing().done();
  }

  Attachment settled() {
    return edit().request(null, null, null).done();
  }

  private AttachmentEdit edit() {
    return new AttachmentEdit(this);
  }
}
