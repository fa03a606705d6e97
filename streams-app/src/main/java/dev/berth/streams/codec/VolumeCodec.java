package dev.berth.streams.codec;

import dev.berth.records.VolumeProposal;
import dev.berth.streams.claims.Volume;
import org.jspecify.annotations.Nullable;

/** Codec of the rows of the table {@code volumes}. */
public final class VolumeCodec {
  /** A registered volume. */
  public static final Codec<Volume, dev.berth.records.Volume> VOLUME =
      new Codec<>(
          Volume.class, dev.berth.records.Volume.class, VolumeCodec::encode, VolumeCodec::decode);

  private VolumeCodec() {}

  private static dev.berth.records.Volume encode(Volume volume) {
    return dev.berth.records.Volume.newBuilder()
        .setSpec(CommandCodecs.VOLUME_SPEC.encode().apply(volume.spec()))
        .setState(volume.state())
        .setCommandId(volume.origin().commandId())
        .setBy(volume.origin().by())
        .setReason(volume.origin().reason())
        .setProposed(encode(volume.proposed()))
        .setReservation(volume.reservation())
        .setRegisteredAt(volume.registeredAt())
        .setAccess(volume.access())
        .setAttachment(volume.attachment())
        .build();
  }

  private static @Nullable VolumeProposal encode(Volume.@Nullable Proposal proposed) {
    return proposed == null
        ? null
        : new VolumeProposal(
            CommandCodecs.VOLUME_SPEC.encode().apply(proposed.spec()),
            proposed.origin().commandId(),
            proposed.origin().by(),
            proposed.origin().reason());
  }

  private static Volume decode(dev.berth.records.Volume volume) {
    return new Volume(
        CommandCodecs.VOLUME_SPEC.decode().apply(volume.getSpec()),
        volume.getState(),
        new Volume.Origin(volume.getCommandId(), volume.getBy(), volume.getReason()),
        volume.getProposed().map(VolumeCodec::decode).orElse(null),
        volume.getReservation().orElse(null),
        volume.getRegisteredAt(),
        volume.getAccess().orElse(null),
        volume.getAttachment().orElse(null));
  }

  private static Volume.Proposal decode(VolumeProposal proposed) {
    return new Volume.Proposal(
        CommandCodecs.VOLUME_SPEC.decode().apply(proposed.getSpec()),
        new Volume.Origin(proposed.getCommandId(), proposed.getBy(), proposed.getReason()));
  }
}
