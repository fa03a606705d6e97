package dev.berth.streams.claims;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.VolumeState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A registered volume.
 *
 * @param spec what was registered
 * @param state life of the registration
 * @param origin command that registered or last replaced it
 * @param proposed registration that waits for the uniqueness of its external id; null when none
 * @param registeredAt when it was first registered
 * @param access present access mode: set by the first claim, cleared with the last row; null when unclaimed
 * @param attachment present attachment mode, likewise
 */
public record Volume(
    VolumeSpec spec,
    VolumeState state,
    Origin origin,
    @Nullable VolumeSpec proposed,
    Instant registeredAt,
    @Nullable AccessMode access,
    @Nullable AttachmentMode attachment) {

  /**
   * The command behind a registration.
   *
   * @param commandId its id
   * @param by author
   * @param reason reason given
   */
  public record Origin(String commandId, String by, String reason) {}

  Volume inMode(@Nullable AccessMode newAccess, @Nullable AttachmentMode newAttachment) {
    return new Volume(spec, state, origin, proposed, registeredAt, newAccess, newAttachment);
  }

  Volume inState(VolumeState newState) {
    return new Volume(spec, newState, origin, proposed, registeredAt, access, attachment);
  }

  Volume proposing(VolumeSpec candidate, Origin from) {
    return new Volume(spec, state, from, candidate, registeredAt, access, attachment);
  }

  Volume registered(VolumeSpec newSpec, Origin from) {
    return new Volume(newSpec, VolumeState.REGISTERED, from, null, registeredAt, access, attachment);
  }

  Volume withoutProposal() {
    return new Volume(spec, state, origin, null, registeredAt, access, attachment);
  }
}
