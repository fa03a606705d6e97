package dev.berth.producers;

import dev.berth.records.AllocEvent;
import dev.berth.records.AllocGone;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.ClaimRequested;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.UnmountFailed;
import dev.berth.records.Unmounted;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Puts a scheduler's statements into the words of the topic: one event per volume. */
final class AllocEvents {

  private final String scheduler;
  private final Indexes indexes;
  private final Clock clock;

  AllocEvents(String scheduler, Indexes indexes, Clock clock) {
    this.scheduler = scheduler;
    this.indexes = indexes;
    this.clock = clock;
  }

  /** The event of a claim. */
  AllocEvent claim(ClaimRequest request, String requestId) {
    return claims(List.of(request), List.of(requestId)).get(0);
  }

  /**
   * The events of claims that are made together.
   *
   * @param requestIds ids of the requests, in their order
   */
  List<AllocEvent> claims(List<ClaimRequest> requests, List<String> requestIds) {
    List<Long> numbers = indexes.ofClaims(requests);
    return IntStream.range(0, requests.size())
        .mapToObj(i -> claim(requests.get(i), requestIds.get(i), numbers.get(i)))
        .toList();
  }

  private AllocEvent claim(ClaimRequest request, String requestId, long index) {
    return event(
        request.alloc(),
        VolumeUse.of(request.namespace(), request.volume()),
        index,
        new ClaimRequested(
            requestId,
            request.node(),
            request.job().orElse(null),
            request.jobType(),
            request.mode(),
            request.access(),
            request.attachment(),
            request.block().orElse(null),
            request.stopOnDisconnect().map(Duration::toMillis).orElse(null)));
  }

  /**
   * The events of anything but a claim, one per volume.
   *
   * @throws InvalidEventException when a status or the number is not usable
   */
  List<AllocEvent> of(Saying saying) {
    if (saying instanceof Saying.Status said) {
      return status(said.alloc(), said.client(), said.desired());
    } else if (saying instanceof Saying.Unmounted said) {
      return unmounted(said.alloc());
    } else if (saying instanceof Saying.UnmountFailed said) {
      return unmountFailed(said.alloc(), said.error());
    } else if (saying instanceof Saying.Gone said) {
      return gone(said.alloc());
    }
    throw new IllegalArgumentException("a claim has a request id: " + saying);
  }

  List<AllocEvent> status(Alloc alloc, ClientStatus client, DesiredStatus desired) {
    FieldRules.known("client", client);
    FieldRules.known("desired", desired);
    return each(alloc, volume -> new AllocStatusChanged(client, desired));
  }

  List<AllocEvent> gone(Alloc alloc) {
    return each(alloc, volume -> new AllocGone(generation(volume)));
  }

  /** A number drawn now; empty when the caller numbers. */
  OptionalLong reserveIndex() {
    return indexes.reserve();
  }

  /** The claims that were seen and no later ones, with a number that was drawn before. */
  List<AllocEvent> gone(List<SeenClaim> claims, long index) {
    return claims.stream()
        .map(
            claim ->
                event(
                    claim.alloc(),
                    VolumeUse.of(claim.namespace(), claim.volume()),
                    index,
                    new AllocGone(claim.generation())))
        .toList();
  }

  List<AllocEvent> unmounted(Alloc alloc) {
    return each(alloc, volume -> new Unmounted(generation(volume)));
  }

  List<AllocEvent> unmountFailed(Alloc alloc, String error) {
    return each(alloc, volume -> new UnmountFailed(generation(volume), FieldRules.text(error)));
  }

  private List<AllocEvent> each(Alloc alloc, Function<VolumeUse, Object> body) {
    long index = indexes.ofStatement(alloc);
    return alloc.volumes().stream()
        .map(volume -> event(alloc.id(), volume, index, body.apply(volume)))
        .toList();
  }

  private AllocEvent event(String alloc, VolumeUse volume, long index, Object body) {
    return new AllocEvent(
        scheduler,
        index,
        volume.namespace(),
        volume.volume(),
        alloc,
        clock.instant().truncatedTo(ChronoUnit.MILLIS),
        body);
  }

  private static @Nullable Long generation(VolumeUse volume) {
    OptionalLong generation = volume.claimGeneration();
    return generation.isPresent() ? generation.getAsLong() : null;
  }
}
