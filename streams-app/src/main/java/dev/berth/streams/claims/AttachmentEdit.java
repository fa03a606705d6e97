package dev.berth.streams.claims;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentState;
import dev.berth.records.CsiCall;
import dev.berth.records.Staging;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A changed copy of an attachment in the making. */
final class AttachmentEdit {
  private final Attachment from;
  private @Nullable String externalNode;
  private long generation;
  private AttachmentState state;
  private Instant since;
  private boolean controllerRequired;
  private boolean published;
  private boolean slotHeld;
  private AccessMode access;
  private boolean readOnly;
  private Map<String, String> publishContext;
  private Staging staging;
  private @Nullable String request;
  private @Nullable CsiCall requestCall;
  private boolean withdrawing;
  private @Nullable String requestScheduler;
  private boolean mayBeAttached;

  AttachmentEdit(Attachment from) {
    this.from = from;
    externalNode = from.externalNode();
    generation = from.generation();
    state = from.state();
    since = from.since();
    controllerRequired = from.controllerRequired();
    published = from.published();
    slotHeld = from.slotHeld();
    access = from.access();
    readOnly = from.readOnly();
    publishContext = from.publishContext();
    staging = from.staging();
    request = from.request();
    requestCall = from.requestCall();
    withdrawing = from.withdrawing();
    requestScheduler = from.requestScheduler();
    mayBeAttached = from.mayBeAttached();
  }

  AttachmentEdit at(String knownExternalNode) {
    externalNode = knownExternalNode;
    return this;
  }

  AttachmentEdit generation(long value) {
    generation = value;
    return this;
  }

  AttachmentEdit state(AttachmentState value, Instant now) {
    since = value == state ? since : now;
    state = value;
    return this;
  }

  AttachmentEdit controllerRequired(boolean required) {
    controllerRequired = required;
    return this;
  }

  AttachmentEdit slot(boolean held) {
    slotHeld = held;
    return this;
  }

  AttachmentEdit publishedAs(AccessMode newAccess, boolean newReadOnly) {
    published = true;
    mayBeAttached = false;
    access = newAccess;
    readOnly = newReadOnly;
    return this;
  }

  AttachmentEdit notPublished() {
    published = false;
    return this;
  }

  AttachmentEdit publishContext(Map<String, String> value) {
    publishContext = value;
    return this;
  }

  AttachmentEdit staging(Staging value) {
    staging = value;
    return this;
  }

  AttachmentEdit request(
      @Nullable String newRequest, @Nullable CsiCall newCall, @Nullable String scheduler) {
    request = newRequest;
    requestCall = newCall;
    withdrawing = false;
    requestScheduler = scheduler;
    return this;
  }

  AttachmentEdit withdrawing() {
    withdrawing = true;
    return this;
  }

  AttachmentEdit mayBeAttached(boolean may) {
    mayBeAttached = may;
    return this;
  }

  Attachment done() {
    return new Attachment(
        from.key(),
        from.node(),
        from.plugin(),
        from.externalVolume(),
        externalNode,
        generation,
        state,
        since,
        controllerRequired,
        published,
        slotHeld,
        access,
        readOnly,
        publishContext,
        staging,
        request,
        requestCall,
        withdrawing,
        requestScheduler,
        mayBeAttached);
  }
}
