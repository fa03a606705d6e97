package dev.berth.ops.demo;

import dev.berth.producers.Alloc;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.VolumeUse;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.JobType;
import dev.berth.records.ReplyOutcome;
import dev.berth.schemas.topics.Keys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One alloc: claims, runs, ends. {@link #live} runs on a thread of its own. */
final class AllocLife {

  private final DemoAlloc alloc;
  private final DemoRun run;
  private final DemoRun.World world;
  private final CompletableFuture<Void> running = new CompletableFuture<>();
  private final CompletableFuture<Void> toldToWait = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Map<String, ClaimTrack> tracks = new HashMap<>();

  AllocLife(DemoAlloc alloc, DemoRun run, DemoRun.World world) {
    this.alloc = alloc;
    this.run = run;
    this.world = world;
    alloc.uses().forEach(use -> tracks.put(use.volume().id(), new ClaimTrack()));
  }

  /** What was seen of one claim; written by several threads. */
  private static final class ClaimTrack {
    private Optional<Long> askedAt = Optional.empty();
    private Optional<Long> answeredAt = Optional.empty();
    private Optional<String> waited = Optional.empty();
    private Optional<ClaimReply> reply = Optional.empty();
    private boolean released;
  }

  DemoAlloc alloc() {
    return alloc;
  }

  /** Completes when it has its volumes and runs. */
  CompletableFuture<Void> running() {
    return running;
  }

  /** Completes when it was told that another alloc holds a volume. */
  CompletableFuture<Void> toldToWait() {
    return toldToWait;
  }

  /** Completes when it has ended and its claims are gone. */
  CompletableFuture<Void> ended() {
    return ended;
  }

  /** When it had all its volumes, as {@link DemoRun.World#nanoTime}; empty before. */
  synchronized Optional<Long> grantedAt() {
    return tracks.values().stream()
        .filter(track -> answer(track) == ClaimStory.Answer.GRANTED)
        .map(track -> track.answeredAt)
        .flatMap(Optional::stream)
        .min(Long::compare);
  }

  /** What became of its claims so far; none before they are made. */
  synchronized List<ClaimStory> stories() {
    long now = world.nanoTime().getAsLong();
    List<ClaimStory> stories = new ArrayList<>();
    for (DemoUse use : alloc.uses()) {
      ClaimTrack track = track(use);
      track.askedAt.ifPresent(
          asked ->
              stories.add(
                  new ClaimStory(
                      alloc.id(),
                      use.volume(),
                      track.waited,
                      answer(track),
                      Duration.ofNanos(track.answeredAt.orElse(now) - asked),
                      track.released)));
    }
    return stories;
  }

  void live() throws InterruptedException {
    claim();
    for (DemoUse use : clientMounted()) {
      world.clients().mount(alloc, use, reply(use).getPublishContext());
    }
    say(ClientStatus.RUNNING, DesiredStatus.RUN);
    running.complete(null);
    TimeUnit.NANOSECONDS.sleep(alloc.runs().toNanos());
    for (AllocLife waiting : run.waitingBehind(alloc)) {
      run.await(waiting.toldToWait(), waiting.alloc().id() + " waits behind " + alloc.id());
    }
    end();
    awaitRelease();
    ended.complete(null);
  }

  private void claim() throws InterruptedException {
    List<ClaimRequest> requests = alloc.uses().stream().map(this::request).toList();
    synchronized (this) {
      Optional<Long> now = Optional.of(world.nanoTime().getAsLong());
      tracks.values().forEach(track -> track.askedAt = now);
    }
    List<CompletableFuture<ClaimReply>> answers = new ArrayList<>();
    for (CompletableFuture<ClaimReply> answer : world.scheduler().claim(requests, this::waiting)) {
      // Noted before anybody who waits for it goes on.
      answers.add(answer.thenApply(this::answered));
    }
    for (int i = 0; i < answers.size(); i++) {
      String what = "claim of %s on %s".formatted(alloc.id(), alloc.uses().get(i).volume().id());
      ClaimReply reply = run.await(answers.get(i), what);
      if (reply.getOutcome() != ReplyOutcome.GRANTED) {
        throw new DemoFailure(
            "%s was rejected: %s %s".formatted(what, reply.getCode(), reply.getMessage()));
      }
    }
  }

  private ClaimRequest request(DemoUse use) {
    String volume = use.volume().id();
    ClaimRequest.Builder request =
        use.mode() == ClaimMode.READ
            ? ClaimRequest.read(
                alloc.id(), alloc.node(), DemoScript.NAMESPACE, volume, use.volume().access())
            : ClaimRequest.write(
                alloc.id(), alloc.node(), DemoScript.NAMESPACE, volume, use.volume().access());
    return request.job("demo", JobType.BATCH).build();
  }

  private void waiting(ClaimReply reply) {
    synchronized (this) {
      track(reply).waited = Optional.of(reply.getMessage());
    }
    if (reply.getHeldBy().isPresent()) {
      toldToWait.complete(null);
    }
  }

  private synchronized ClaimReply answered(ClaimReply reply) {
    ClaimTrack track = track(reply);
    track.answeredAt = Optional.of(world.nanoTime().getAsLong());
    track.reply = Optional.of(reply);
    return reply;
  }

  private void end() throws InterruptedException {
    if (alloc.end() == DemoEnd.UNMOUNTS_FIRST) {
      unmount();
    }
    if (alloc.end() == DemoEnd.IS_STOPPED) {
      say(ClientStatus.RUNNING, DesiredStatus.STOP);
    }
    say(
        alloc.end() == DemoEnd.FAILS ? ClientStatus.FAILED : ClientStatus.COMPLETE,
        alloc.end() == DemoEnd.IS_STOPPED ? DesiredStatus.STOP : DesiredStatus.RUN);
    if (alloc.end() != DemoEnd.UNMOUNTS_FIRST) {
      unmount();
    }
  }

  private void unmount() throws InterruptedException {
    List<DemoUse> mounted = clientMounted();
    if (mounted.isEmpty()) {
      return;
    }
    for (DemoUse use : mounted) {
      world.clients().unmount(alloc, use);
    }
    Alloc statement =
        new Alloc(alloc.id(), mounted.stream().map(this::claimed).toList(), OptionalLong.empty());
    run.await(world.scheduler().unmounted(statement), "the unmounting by " + alloc.id());
  }

  private void say(ClientStatus client, DesiredStatus desired) throws InterruptedException {
    Alloc statement =
        new Alloc(
            alloc.id(),
            alloc.uses().stream()
                .map(use -> VolumeUse.of(DemoScript.NAMESPACE, use.volume().id()))
                .toList(),
            OptionalLong.empty());
    run.await(
        world.scheduler().alloc(statement, client, desired),
        "%s as status of %s".formatted(client, alloc.id()));
  }

  private void awaitRelease() throws InterruptedException {
    for (DemoUse use : alloc.uses()) {
      String key = Keys.claim(DemoScript.NAMESPACE, use.volume().id(), alloc.id());
      run.await(world.claims().of(key), "the release of " + key);
      synchronized (this) {
        track(use).released = true;
      }
    }
  }

  private VolumeUse claimed(DemoUse use) {
    return VolumeUse.of(DemoScript.NAMESPACE, use.volume().id())
        .ofClaim(reply(use).getClaimGeneration());
  }

  private List<DemoUse> clientMounted() {
    return alloc.uses().stream()
        .filter(use -> world.clientMounts().test(use.volume().plugin()))
        .toList();
  }

  private synchronized ClaimReply reply(DemoUse use) {
    return track(use).reply.orElseThrow();
  }

  private ClaimTrack track(DemoUse use) {
    return track(use.volume().id());
  }

  private ClaimTrack track(ClaimReply reply) {
    return track(reply.getVolume());
  }

  private ClaimTrack track(String volume) {
    ClaimTrack track = tracks.get(volume);
    if (track == null) {
      throw new IllegalStateException("alloc " + alloc.id() + " does not use " + volume);
    }
    return track;
  }

  private static ClaimStory.Answer answer(ClaimTrack track) {
    return track
        .reply
        .map(
            reply ->
                reply.getOutcome() == ReplyOutcome.GRANTED
                    ? ClaimStory.Answer.GRANTED
                    : ClaimStory.Answer.REJECTED)
        .orElse(ClaimStory.Answer.NONE);
  }
}
