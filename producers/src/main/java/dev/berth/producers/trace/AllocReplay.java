package dev.berth.producers.trace;

import dev.berth.producers.Alloc;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.Saying;
import dev.berth.producers.VolumeUse;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.FeedPosition;
import dev.berth.records.OpenAlloc;
import dev.berth.records.ReplyOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One alloc on its way from the claim to the end. Owned by the thread of the replay.
 *
 * <pre>
 *   CLAIMED ──all granted, mounted──► RUNNING ──end is due──► ENDING ──unmounted, written──► DONE
 *      └─────────one rejected──────────────────────────────────┘
 * </pre>
 */
final class AllocReplay {

  private final TraceAlloc alloc;
  private final Floor floor;
  private final Ledger ledger;
  private final List<ClaimTrack> claims;
  private State state = State.CLAIMED;
  private boolean endIsDue;

  AllocReplay(TraceAlloc alloc, Floor floor, Ledger ledger) {
    this.alloc = alloc;
    this.floor = floor;
    this.ledger = ledger;
    this.claims = alloc.uses().stream().map(use -> new ClaimTrack(alloc.id(), use)).toList();
  }

  private enum State {
    CLAIMED,
    RUNNING,
    ENDING,
    DONE
  }

  /** What an alloc acts through. */
  interface Floor {

    /** Says something; a failure of the writing ends the replay. */
    Saying.Said say(List<? extends Saying> sayings, Optional<FeedPosition> position);

    /** Has something done on the replay's thread when a future completes; its failure ends all. */
    <T> void when(CompletableFuture<T> future, String what, Consumer<T> then);

    /** Has something done on the replay's thread. */
    void soon(Runnable action);

    /** Nanoseconds since the run began. */
    long now();

    Workload workload();

    /** The alloc has come to its end. */
    void done(AllocReplay alloc);
  }

  TraceAlloc alloc() {
    return alloc;
  }

  List<ClaimTrack> claims() {
    return claims;
  }

  /** Whether only its end is missing. */
  boolean isRunning() {
    return state == State.RUNNING;
  }

  /** What it waits for, for people. */
  String waitsFor() {
    return "%s %s".formatted(alloc.id(), state.name().toLowerCase(Locale.ROOT));
  }

  /** Claims all volumes at once; also when an earlier run had claimed them. */
  void claim() {
    List<Saying> sayings = new ArrayList<>();
    for (ClaimTrack track : claims) {
      track.asked(floor.now());
      sayings.add(
          new Saying.Claims(request(track.use()), reply -> floor.soon(() -> track.waiting(reply))));
    }
    List<CompletableFuture<ClaimReply>> replies =
        floor.say(sayings, Optional.of(ledger.claim(alloc.number()))).replies();
    for (int i = 0; i < replies.size(); i++) {
      ClaimTrack track = claims.get(i);
      floor.when(replies.get(i), "the claim of " + alloc.id(), reply -> answered(track, reply));
    }
  }

  /** Says that the volumes are unmounted, of an alloc whose end an earlier run had said. */
  void unmountOnly(OpenAlloc open) {
    state = State.ENDING;
    List<VolumeUse> uses = new ArrayList<>();
    for (int i = 0; i < alloc.uses().size(); i++) {
      TraceUse use = alloc.uses().get(i);
      if (use.volume().clientMounts()) {
        uses.add(volume(use).ofClaim(open.getGenerations().get(i)));
      }
    }
    unmount(() -> close(List.of(new Saying.Unmounted(alloc(uses)))));
  }

  /** Its end is due: now, or as soon as it runs. */
  void end() {
    endIsDue = true;
    if (state == State.RUNNING) {
      endNow();
    }
  }

  private void answered(ClaimTrack track, ClaimReply reply) {
    track.answered(reply, floor.now());
    ledger.count(reply.getOutcome() == ReplyOutcome.GRANTED ? "granted" : "rejected");
    if (claims.stream().allMatch(claim -> claim.reply().isPresent())) {
      if (claims.stream().allMatch(ClaimTrack::isGranted)) {
        mount();
      } else {
        giveUp();
      }
    }
  }

  private void mount() {
    List<CompletableFuture<Void>> mounts = new ArrayList<>();
    for (ClaimTrack claim : claims) {
      if (claim.use().volume().clientMounts()) {
        mounts.add(floor.workload().mount(alloc, claim.use(), claim.reply().orElseThrow()));
      }
    }
    floor.when(all(mounts), "the mounting by " + alloc.id(), mounted -> run());
  }

  private void run() {
    state = State.RUNNING;
    floor.say(List.of(status(ClientStatus.RUNNING, DesiredStatus.RUN)), Optional.empty());
    if (endIsDue) {
      endNow();
    }
  }

  private void endNow() {
    state = State.ENDING;
    Saying end = status(alloc.end().client(), alloc.end().desired());
    List<VolumeUse> mounted = mounted();
    if (alloc.end() == TraceEnd.IS_STOPPED) {
      floor.say(List.of(status(ClientStatus.RUNNING, DesiredStatus.STOP)), Optional.empty());
    }
    if (mounted.isEmpty()) {
      close(List.of(end));
    } else if (alloc.end() == TraceEnd.UNMOUNTS_FIRST) {
      unmount(() -> close(List.of(new Saying.Unmounted(alloc(mounted)), end)));
    } else {
      List<Long> generations = claims.stream().map(ClaimTrack::generation).toList();
      floor.say(List.of(end), Optional.of(ledger.endedStillMounted(alloc.number(), generations)));
      unmount(() -> close(List.of(new Saying.Unmounted(alloc(mounted)))));
    }
  }

  /** It cannot run without all its volumes: what was granted is given back. */
  private void giveUp() {
    state = State.ENDING;
    List<Saying> sayings = new ArrayList<>();
    List<VolumeUse> mounted = mounted();
    if (!mounted.isEmpty()) {
      sayings.add(new Saying.Unmounted(alloc(mounted)));
    }
    sayings.add(status(ClientStatus.FAILED, DesiredStatus.STOP));
    close(sayings);
  }

  private void unmount(Runnable then) {
    List<CompletableFuture<Void>> unmounts =
        alloc.uses().stream()
            .filter(use -> use.volume().clientMounts())
            .map(use -> floor.workload().unmount(alloc, use))
            .toList();
    floor.when(all(unmounts), "the unmounting by " + alloc.id(), unmounted -> then.run());
  }

  private void close(List<Saying> last) {
    Saying.Said said = floor.say(last, Optional.of(ledger.close(alloc.number())));
    floor.when(
        said.written(),
        "the end of " + alloc.id(),
        written -> {
          state = State.DONE;
          floor.done(this);
        });
  }

  private ClaimRequest request(TraceUse use) {
    TraceVolume volume = use.volume();
    ClaimRequest.Builder request =
        use.mode() == ClaimMode.READ
            ? ClaimRequest.read(
                alloc.id(), alloc.node(), TraceVolume.NAMESPACE, volume.id(), volume.access())
            : ClaimRequest.write(
                alloc.id(), alloc.node(), TraceVolume.NAMESPACE, volume.id(), volume.access());
    return request.job(alloc.job(), alloc.jobType()).build();
  }

  private Saying status(ClientStatus client, DesiredStatus desired) {
    List<VolumeUse> uses = alloc.uses().stream().map(AllocReplay::volume).toList();
    return new Saying.Status(alloc(uses), client, desired);
  }

  /** The granted claims on volumes that the client mounts. */
  private List<VolumeUse> mounted() {
    return claims.stream()
        .filter(claim -> claim.isGranted() && claim.use().volume().clientMounts())
        .map(claim -> volume(claim.use()).ofClaim(claim.generation()))
        .toList();
  }

  private Alloc alloc(List<VolumeUse> uses) {
    return new Alloc(alloc.id(), uses, OptionalLong.empty());
  }

  private static VolumeUse volume(TraceUse use) {
    return VolumeUse.of(TraceVolume.NAMESPACE, use.volume().id());
  }

  private static CompletableFuture<Void> all(List<CompletableFuture<Void>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new));
  }
}
