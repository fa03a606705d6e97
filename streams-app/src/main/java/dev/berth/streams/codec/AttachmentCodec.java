package dev.berth.streams.codec;

import dev.berth.streams.claims.Attachment;
import dev.berth.streams.claims.VolumeKey;

/** Codec of the rows of the table {@code attachments}. */
public final class AttachmentCodec {
  /** A volume in use on a node. */
  public static final Codec<Attachment, dev.berth.records.Attachment> ATTACHMENT =
      new Codec<>(
          Attachment.class,
          dev.berth.records.Attachment.class,
          AttachmentCodec::encode,
          AttachmentCodec::decode);

  private AttachmentCodec() {}

  private static dev.berth.records.Attachment encode(Attachment attachment) {
    return dev.berth.records.Attachment.newBuilder()
        .setNamespace(attachment.key().namespace())
        .setVolume(attachment.key().volume())
        .setNode(attachment.node())
        .setPlugin(attachment.plugin())
        .setExternalVolume(attachment.externalVolume())
        .setExternalNode(attachment.externalNode())
        .setGeneration(attachment.generation())
        .setState(attachment.state())
        .setSince(attachment.since())
        .setControllerRequired(attachment.controllerRequired())
        .setPublished(attachment.published())
        .setSlotHeld(attachment.slotHeld())
        .setAccess(attachment.access())
        .setReadOnly(attachment.readOnly())
        .setPublishContext(attachment.publishContext())
        .setStaging(attachment.staging())
        .setRequest(attachment.request())
        .setRequestCall(attachment.requestCall())
        .setWithdrawing(attachment.withdrawing())
        .setRequestScheduler(attachment.requestScheduler())
        .setMayBeAttached(attachment.mayBeAttached())
        .build();
  }

  private static Attachment decode(dev.berth.records.Attachment attachment) {
    return new Attachment(
        new VolumeKey(attachment.getNamespace(), attachment.getVolume()),
        attachment.getNode(),
        attachment.getPlugin(),
        attachment.getExternalVolume(),
        attachment.getExternalNode().orElse(null),
        attachment.getGeneration(),
        attachment.getState(),
        attachment.getSince(),
        attachment.getControllerRequired(),
        attachment.getPublished(),
        attachment.getSlotHeld(),
        attachment.getAccess(),
        attachment.getReadOnly(),
        attachment.getPublishContext(),
        attachment.getStaging(),
        attachment.getRequest().orElse(null),
        attachment.getRequestCall().orElse(null),
        attachment.getWithdrawing(),
        attachment.getRequestScheduler().orElse(null),
        attachment.getMayBeAttached());
  }
}
