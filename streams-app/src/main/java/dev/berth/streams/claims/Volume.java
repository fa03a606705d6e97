package dev.berth.streams.claims;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.VolumeState;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.VolumeSpec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A registered volume.
 *
 * @param spec what was registered
 * @param state life of the registration
 * @param origin command that registered or last replaced it
 * @param proposed registration that waits for the uniqueness of its external id; null when none
 * @param reservation lane request whose answer decides the registration that waits; null when none
 * @param registeredAt when it was first registered
 * @param access present access mode: set by the first claim, cleared with the last row; null when
 *     unclaimed
 * @param attachment present attachment mode, likewise
 */
public record Volume(
    VolumeSpec spec,
    VolumeState state,
    Origin origin,
    @Nullable Proposal proposed,
    @Nullable String reservation,
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
  public record Origin(String commandId, String by, String reason) {
    /** The origin of what a command asks for. */
    public static Origin of(Command command) {
      return new Origin(command.id(), command.by(), command.reason());
    }
  }

  /**
   * A registration that is to replace the present one.
   *
   * @param spec what is to be registered
   * @param origin command that asks for it
   */
  public record Proposal(VolumeSpec spec, Origin origin) {}

  /** Whether it was registered with this pair of modes. */
  boolean supports(AccessMode askedAccess, AttachmentMode askedAttachment) {
    return spec.capabilities().contains(new VolumeSpec.Capability(askedAccess, askedAttachment));
  }

  Volume inMode(@Nullable AccessMode newAccess, @Nullable AttachmentMode newAttachment) {
    return new Volume(
        spec, state, origin, proposed, reservation, registeredAt, newAccess, newAttachment);
  }

  Volume inState(VolumeState newState) {
    return new Volume(
        spec, newState, origin, proposed, reservation, registeredAt, access, attachment);
  }

  /** With a registration that waits for the answer to a lane request. */
  Volume proposing(Proposal proposal, String request) {
    return new Volume(spec, state, origin, proposal, request, registeredAt, access, attachment);
  }

  Volume registered(VolumeSpec newSpec, Origin from) {
    return new Volume(
        newSpec, VolumeState.REGISTERED, from, null, null, registeredAt, access, attachment);
  }

  Volume withoutProposal() {
    return new Volume(spec, state, origin, null, null, registeredAt, access, attachment);
  }
}
