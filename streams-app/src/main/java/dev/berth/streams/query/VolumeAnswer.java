package dev.berth.streams.query;

import dev.berth.proto.api.GetVolumeResponse;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.claims.VolumeStatus;
import dev.berth.streams.kernel.State;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One volume in the words of the API, from its tables alone. Pure. */
public final class VolumeAnswer {
  private VolumeAnswer() {}

  /**
   * Tells of a volume.
   *
   * @param state the tables of the claims and of the cluster; what is said of plugins (whether the
   *     volume is schedulable) holds only where it has those of the cluster
   * @param at time to look at
   * @return empty when neither the volume nor a claim on it is in the tables
   */
  public static Optional<GetVolumeResponse> of(State state, VolumeKey key, Instant at) {
    VolumeStatus status = VolumeStatus.of(state, key, at);
    List<Claim> claims = status.claims();
    if (status.volume().isEmpty() && claims.isEmpty()) {
      return Optional.empty();
    }
    GetVolumeResponse.Builder message = GetVolumeResponse.newBuilder();
    status.volume().ifPresent(volume -> message.setVolume(VolumeMessages.of(volume, status)));
    claims.forEach(claim -> message.addClaims(ClaimMessages.of(claim, status)));
    status
        .attachments()
        .forEach(attachment -> message.addAttachments(VolumeMessages.of(attachment, status)));
    return Optional.of(message.addAllForeignNodes(status.foreignNodes()).build());
  }
}
