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
 * @param readOnly read-only flag it is published with
 * @param publishContext publish_context of the attach
 * @param staging what is known of the staging by node workers
 * @param request lane request open for it; null when none
 * @param requestCall call of that request; null when none
 * @param withdrawing whether that request is being taken back
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
    boolean withdrawing) {

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

  Attachment state(AttachmentState newState, Instant now) {
    return newState == state
        ? this
        : copy(
            newState,
            now,
            published,
            slotHeld,
            externalNode,
            publishContext,
            staging,
            request,
            requestCall,
            withdrawing);
  }

  Attachment published(Map<String, String> context) {
    return copy(
        state,
        since,
        true,
        slotHeld,
        externalNode,
        context,
        staging,
        request,
        requestCall,
        withdrawing);
  }

  Attachment slot(boolean held) {
    return copy(
        state,
        since,
        published,
        held,
        externalNode,
        publishContext,
        staging,
        request,
        requestCall,
        withdrawing);
  }

  Attachment at(String knownExternalNode) {
    return copy(
        state,
        since,
        published,
        slotHeld,
        knownExternalNode,
        publishContext,
        staging,
        request,
        requestCall,
        withdrawing);
  }

  Attachment staging(Staging newStaging) {
    return copy(
        state,
        since,
        published,
        slotHeld,
        externalNode,
        publishContext,
        newStaging,
        request,
        requestCall,
        withdrawing);
  }

  Attachment requesting(String newRequest, CsiCall call) {
    return copy(
        state,
        since,
        published,
        slotHeld,
        externalNode,
        publishContext,
        staging,
        newRequest,
        call,
        false);
  }

  Attachment withdrawingRequest() {
    return copy(
        state,
        since,
        published,
        slotHeld,
        externalNode,
        publishContext,
        staging,
        request,
        requestCall,
        true);
  }

  Attachment settled() {
    return copy(
        state,
        since,
        published,
        slotHeld,
        externalNode,
        publishContext,
        staging,
        null,
        null,
        false);
  }

  private Attachment copy(
      AttachmentState newState,
      Instant newSince,
      boolean newPublished,
      boolean newSlotHeld,
      @Nullable String newExternalNode,
      Map<String, String> context,
      Staging newStaging,
      @Nullable String newRequest,
      @Nullable CsiCall newCall,
      boolean newWithdrawing) {
    return new Attachment(
        key,
        node,
        plugin,
        externalVolume,
        newExternalNode,
        generation,
        newState,
        newSince,
        controllerRequired,
        newPublished,
        newSlotHeld,
        access,
        readOnly,
        context,
        newStaging,
        newRequest,
        newCall,
        newWithdrawing);
  }
}
