package dev.berth.streams.codec;

import dev.berth.records.AllocEvent;
import dev.berth.records.AllocGone;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.ClaimRequested;
import dev.berth.records.UnmountFailed;
import dev.berth.records.Unmounted;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.claims.ClaimsEvent.Stated;
import dev.berth.streams.claims.VolumeKey;
import java.time.Instant;

/** Reads what schedulers say of their allocs. */
public final class AllocEventCodec {
  private AllocEventCodec() {}

  /**
   * The statement in an event.
   *
   * @param event as its scheduler wrote it
   * @param now when it is read. A claim counts as asked from here: the scheduler's clock is not
   *     ours, and waiting claims of several schedulers are served in one order.
   * @throws IllegalArgumentException when a name is empty, longer than any is, or would break a
   *     key, or a duration is negative
   */
  public static Stated stated(AllocEvent event, Instant now) {
    VolumeKey key =
        new VolumeKey(
            Names.part("namespace", event.getNamespace()), Names.part("volume", event.getVolume()));
    String scheduler = Names.named("scheduler", event.getScheduler());
    String alloc = Names.part("alloc", event.getAlloc());
    return new Stated(key, scheduler, event.getIndex(), alloc, statement(event, scheduler, now));
  }

  private static ClaimsEvent.Statement statement(AllocEvent event, String scheduler, Instant now) {
    Object body = event.getBody();
    if (body instanceof ClaimRequested asked) {
      return asked(asked, scheduler, now);
    } else if (body instanceof AllocStatusChanged status) {
      return new ClaimsEvent.StatusChanged(status.getClient(), status.getDesired());
    } else if (body instanceof AllocGone gone) {
      return new ClaimsEvent.Gone(gone.getClaimGeneration().orElse(null));
    } else if (body instanceof Unmounted unmounted) {
      return new ClaimsEvent.Unmounted(unmounted.getClaimGeneration().orElse(null));
    } else if (body instanceof UnmountFailed failed) {
      return new ClaimsEvent.UnmountFailed(
          failed.getClaimGeneration().orElse(null), Names.text(failed.getError()));
    }
    throw new IllegalArgumentException("no statement for " + body.getClass().getSimpleName());
  }

  private static ClaimsEvent.Asked asked(ClaimRequested asked, String scheduler, Instant now) {
    Names.part("node", asked.getNode());
    Names.bounded("requestId", asked.getRequestId());
    asked.getJob().ifPresent(job -> Names.bounded("job", job));
    long promise = asked.getStopOnDisconnectMillis().orElse(0L);
    if (promise < 0) {
      throw new IllegalArgumentException(
          "stopOnDisconnectMillis is " + promise + ": give a duration, or null for no promise");
    }
    return new ClaimsEvent.Asked(ClaimAskCodec.decode(asked, scheduler, now));
  }
}
