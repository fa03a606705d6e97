package dev.berth.streams.query;

import dev.berth.proto.api.Attachment;
import dev.berth.proto.api.AttachmentState;
import dev.berth.proto.api.Topology;
import dev.berth.proto.api.Volume;
import dev.berth.proto.api.VolumeState;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.claims.VolumeStatus;
import dev.berth.streams.command.VolumeSpec;
import java.util.List;
import java.util.TreeSet;

/**
 * Volumes and attachments as the API tells of them. Of secrets only the names are told, of mount
 * flags the number, of publish contexts nothing.
 */
final class VolumeMessages {
  private VolumeMessages() {}

  /** A volume. */
  static Volume of(dev.berth.streams.claims.Volume volume, VolumeStatus status) {
    VolumeSpec spec = volume.spec();
    List<Claim> claims = status.claims();
    Volume.Builder message =
        Volume.newBuilder()
            .setRef(Words.ref(spec.namespace(), spec.volume()))
            .setPlugin(spec.plugin())
            .setExternalId(spec.externalId())
            .setReaders(count(claims, false))
            .setWriters(count(claims, true))
            .setWaiting((int) claims.stream().filter(claim -> !claim.counts()).count())
            .setStuck((int) claims.stream().filter(Claim::reported).count())
            .putAllVolumeContext(spec.context())
            .putAllParameters(spec.parameters())
            .addAllSecretNames(new TreeSet<>(spec.secrets().keySet()))
            .setFsType(spec.fsType() == null ? "" : spec.fsType())
            .setMountFlags(spec.mountFlags().size())
            .setState(VolumeState.valueOf("VOLUME_STATE_" + volume.state().name()))
            .setRegisteredAt(ProtoTime.timestamp(volume.registeredAt()))
            .setRegisteredBy(volume.origin().by())
            .setRegisteredReason(volume.origin().reason())
            .setSchedulable(status.unschedulable().isEmpty())
            .setUnschedulable(status.unschedulable().orElse(""));
    spec.topologies()
        .forEach(
            segments ->
                message.addTopologies(Topology.newBuilder().putAllSegments(segments).build()));
    spec.capabilities()
        .forEach(
            pair -> message.addCapabilities(Words.capability(pair.access(), pair.attachment())));
    if (volume.access() != null && volume.attachment() != null) {
      message.setCurrent(Words.capability(volume.access(), volume.attachment()));
    }
    return message.build();
  }

  private static int count(List<Claim> claims, boolean writers) {
    return (int)
        claims.stream().filter(claim -> claim.counts() && claim.ask().writes() == writers).count();
  }

  /** An attachment. */
  static Attachment of(dev.berth.streams.claims.Attachment attachment, VolumeStatus status) {
    VolumeKey key = attachment.key();
    Attachment.Builder message =
        Attachment.newBuilder()
            .setRef(Words.ref(key))
            .setNode(attachment.node())
            .setPlugin(attachment.plugin())
            .setExternalId(attachment.externalVolume())
            .setExternalNodeId(attachment.externalNode() == null ? "" : attachment.externalNode())
            .setState(AttachmentState.valueOf("ATTACHMENT_STATE_" + attachment.state().name()))
            .setGeneration(attachment.generation())
            .setReadonly(attachment.readOnly())
            .setStateSince(ProtoTime.timestamp(attachment.since()))
            .setClaims((int) status.uses(attachment))
            .setControllerRequired(attachment.controllerRequired())
            .setSlotHeld(attachment.slotHeld())
            .setStaging(Words.of(attachment.staging()));
    if (attachment.request() != null && attachment.requestCall() != null) {
      message.setRequest(attachment.request()).setRpc(Words.csi(attachment.requestCall()));
    }
    return message.build();
  }
}
