package dev.berth.streams.lanes;

import dev.berth.streams.work.Call;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call that was asked for and is not settled.
 *
 * @param requestId request it answers to, unique for ever
 * @param volumeKey namespace/volume that gets the settlements
 * @param plugin plugin id
 * @param call the call; its external node id is filled in once it is known
 * @param takesSlot whether it makes an attachment and holds an attach slot for it
 * @param restores whether granted claims use what it makes again: it is never refused
 * @param scheduler scheduler of the claim on whose terms it is made; null when none asked for it,
 *     and in rows from before schedulers were told
 * @param arrival its number among the plugin's calls
 * @param arrivedAt when it was asked for
 * @param place where it is
 * @param budget what it has used up
 * @param mayHaveEffect whether some attempt may have had its effect, as far as its code tells
 * @param reached whether some attempt may have reached a plugin that knows the call
 */
public record LaneCall(
    String requestId,
    String volumeKey,
    String plugin,
    Call call,
    boolean takesSlot,
    boolean restores,
    @Nullable String scheduler,
    long arrival,
    Instant arrivedAt,
    Place place,
    Budget budget,
    boolean mayHaveEffect,
    boolean reached) {

  LaneKind kind() {
    return LaneKind.of(call.rpc());
  }

  boolean withdrawn() {
    return place instanceof Place.Open open && open.withdrawn();
  }

  LaneCall at(Place where) {
    return copy(call, where, budget, mayHaveEffect, reached);
  }

  LaneCall with(Budget left) {
    return copy(call, place, left, mayHaveEffect, reached);
  }

  LaneCall with(Call filled) {
    return copy(filled, place, budget, mayHaveEffect, reached);
  }

  LaneCall withEffect(boolean possible) {
    return copy(call, place, budget, mayHaveEffect || possible, reached);
  }

  LaneCall asReached() {
    return copy(call, place, budget, mayHaveEffect, true);
  }

  /**
   * Whether a detach is owed when it is given up now. An attach that reached the plugin may be made
   * all the same, whatever was answered, and nobody would look at it again (domain rule "Detach").
   */
  boolean owesUndoing() {
    return mayHaveEffect || (reached && kind() == LaneKind.ATTACH);
  }

  private LaneCall copy(
      Call filled, Place where, Budget left, boolean effectPossible, boolean seen) {
    return new LaneCall(
        requestId,
        volumeKey,
        plugin,
        filled,
        takesSlot,
        restores,
        scheduler,
        arrival,
        arrivedAt,
        where,
        left,
        effectPossible,
        seen);
  }
}
