package dev.berth.streams.codec;

import dev.berth.streams.claims.Volume;
import dev.berth.streams.command.VolumeSpec;

/** Codec of the rows of the table {@code volumes}. */
public final class VolumeCodec {
  /** A registered volume. */
  public static final Codec<Volume, dev.berth.records.Volume> VOLUME =
      new Codec<>(
          Volume.class, dev.berth.records.Volume.class, VolumeCodec::encode, VolumeCodec::decode);

  private VolumeCodec() {}

  private static dev.berth.records.Volume encode(Volume volume) {
    VolumeSpec proposed = volume.proposed();
    return dev.berth.records.Volume.newBuilder()
        .setSpec(CommandCodecs.VOLUME_SPEC.encode().apply(volume.spec()))
        .setState(volume.state())
        .setCommandId(volume.origin().commandId())
        .setBy(volume.origin().by())
        .setReason(volume.origin().reason())
        .setProposed(proposed == null ? null : CommandCodecs.VOLUME_SPEC.encode().apply(proposed))
        .setRegisteredAt(volume.registeredAt())
        .setAccess(volume.access())
        .setAttachment(volume.attachment())
        .build();
  }

  private static Volume decode(dev.berth.records.Volume volume) {
    return new Volume(
        CommandCodecs.VOLUME_SPEC.decode().apply(volume.getSpec()),
        volume.getState(),
        new Volume.Origin(volume.getCommandId(), volume.getBy(), volume.getReason()),
        volume.getProposed().map(CommandCodecs.VOLUME_SPEC.decode()).orElse(null),
        volume.getRegisteredAt(),
        volume.getAccess().orElse(null),
        volume.getAttachment().orElse(null));
  }
}
