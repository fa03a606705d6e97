package dev.berth.streams.work;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the claims of a volume ask of its plugin's lanes.
 *
 * @param requestId namespace/volume#number, unique for ever
 * @param plugin plugin id
 * @param volumeKey namespace/volume that gets the settlement
 * @param at when it was decided
 * @param body what is asked
 */
public record LaneRequest(
    String requestId, String plugin, String volumeKey, Instant at, Body body) {
  /** What is asked. */
  public sealed interface Body {}

  /**
   * Puts a call into its lane.
   *
   * @param call the call
   * @param takesSlot whether it makes a new attachment and so takes an attach slot of the node
   * @param restores whether it makes an attachment again that went while granted claims use it: it
   *     is tried until it is done or taken back, for it cannot be refused to anybody
   * @param goesOn hold of a call of the same step that was taken back, so that this one was asked
   *     for in its place: its attempt budget goes on; null when the step begins
   * @param scheduler scheduler of the claim on whose terms it is made: what others say of the node
   *     does not hold it up; null when no claim asked for it
   */
  public record Enqueue(
      Call call,
      boolean takesSlot,
      boolean restores,
      @Nullable Hold goesOn,
      @Nullable String scheduler)
      implements Body {
    /** A call that makes nothing again, of a step that begins, and that no claim asked for. */
    public Enqueue(Call call, boolean takesSlot) {
      this(call, takesSlot, false, null, null);
    }
  }

  /** Takes a queued call back; an open one goes on and settles. */
  public record Withdraw() implements Body {}

  /**
   * Tries a waiting call at once.
   *
   * @param newBudget whether the attempt budget starts anew
   */
  public record Wake(boolean newBudget) implements Body {}

  /**
   * Reserves (plugin, external id) for the volume.
   *
   * @param externalVolume the provider's volume id
   */
  public record ReserveExternalId(String externalVolume) implements Body {}

  /**
   * Gives (plugin, external id) back.
   *
   * @param externalVolume the provider's volume id
   */
  public record ReleaseExternalId(String externalVolume) implements Body {}

  /**
   * Gives an attach slot back without a detach.
   *
   * @param node node (scheduler's id)
   * @param externalVolume the provider's volume id
   */
  public record ReleaseSlot(String node, String externalVolume) implements Body {}
}
