package dev.berth.streams.query;

import dev.berth.proto.api.Cause;
import dev.berth.proto.api.Position;
import dev.berth.records.AllocEvent;
import dev.berth.records.Attachment;
import dev.berth.records.Claim;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimState;
import dev.berth.records.Happening;
import dev.berth.records.Outcome;
import dev.berth.records.StateChange;
import dev.berth.records.Work;
import dev.berth.records.WorkCall;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.VolumeKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The chain of one claim, link by link: what was said, what was decided about it, which calls that
 * caused, and what became of them. Put together from the records of the topics as they are; what
 * they carry (secrets, contexts) is not told.
 */
final class ClaimChain {
  private static final Comparator<Cause> TIME =
      Comparator.comparing((Cause cause) -> ProtoTime.instant(cause.getAt()))
          .thenComparing(Cause::getKind);

  private final VolumeKey key;
  private final String alloc;
  private final List<Cause> causes = new ArrayList<>();
  private final Set<String> requests = new LinkedHashSet<>();
  private final Set<String> nodes = new LinkedHashSet<>();
  private final Set<String> plugins = new LinkedHashSet<>();

  /** The node with the attachment that the claim uses, as of the last decision; at most one. */
  private final Set<String> attachedOn = new LinkedHashSet<>();

  /** Begins a chain. */
  ClaimChain(VolumeKey key, String alloc) {
    this.key = key;
    this.alloc = alloc;
  }

  /**
   * Finds the record that a decision was made of.
   *
   * @see #decision
   */
  interface Sources {
    /**
     * Where an event stands.
     *
     * @return null when it is not found
     */
    @Nullable Position of(Object event);
  }

  /** Lane requests of the claim, and of its attachments meanwhile. */
  Set<String> requests() {
    return requests;
  }

  /** Nodes that it was on. */
  Set<String> nodes() {
    return nodes;
  }

  /** Plugins that it was of. */
  Set<String> plugins() {
    return plugins;
  }

  /** The links in the order of time. */
  List<Cause> causes() {
    return causes.stream().sorted(TIME).toList();
  }

  /** Adds a decision and what it was made of, if it is about the claim. */
  void decision(TopicTail.Found<ClaimDecision> found, Sources sources) {
    ClaimDecision decision = found.value();
    Set<String> askedBefore = Set.copyOf(requests);
    List<StateChange> written = learn(decision);
    boolean touched = !written.isEmpty();
    List<Happening> about =
        decision.getHappenings().stream()
            .filter(happening -> happening.getAlloc().map(alloc::equals).orElse(touched))
            .toList();
    boolean asked =
        decision.getEvent() instanceof AllocEvent event && event.getAlloc().equals(alloc);
    WrittenText rows = WrittenText.of(written, ClaimTables.CLAIMS.name(), askedBefore);
    if (about.isEmpty() && !asked && rows.text().isEmpty()) {
      return;
    }
    Cause.Builder event =
        EventTexts.of(decision.getEvent()).setAt(ProtoTime.timestamp(decision.getNow()));
    Position source = sources.of(decision.getEvent());
    if (source != null) {
      event.setPosition(source);
    }
    causes.add(event.build());
    String name = about.stream().map(Happening::getName).collect(Collectors.joining(", "));
    String text = about.stream().map(ClaimChain::text).collect(Collectors.joining("; "));
    causes.add(
        Cause.newBuilder()
            .setKind(Cause.Kind.KIND_DECISION)
            .setAt(ProtoTime.timestamp(decision.getNow()))
            .setPosition(position(Topic.CLAIM_HISTORY, found))
            .setName(name.isEmpty() ? rows.name() : name)
            .setText(name.isEmpty() ? rows.text() : text)
            .build());
  }

  /**
   * Learns from what a decision wrote.
   *
   * @return what it wrote of the claim, and of the attachment that it uses
   */
  private List<StateChange> learn(ClaimDecision decision) {
    List<StateChange> written = new ArrayList<>();
    Set<String> used = new LinkedHashSet<>(attachedOn);
    for (StateChange change : decision.getChanges()) {
      if (isOf(change, ClaimTables.CLAIMS.name(), alloc)) {
        written.add(change);
        attachedOn.clear();
        if (change.getValue().orElse(null) instanceof Claim claim) {
          learn(claim);
        }
      }
    }
    used.addAll(attachedOn);
    for (StateChange change : decision.getChanges()) {
      if (used.stream().anyMatch(n -> isOf(change, ClaimTables.ATTACHMENTS.name(), n))) {
        written.add(change);
        if (change.getValue().orElse(null) instanceof Attachment attachment) {
          attachment.getRequest().ifPresent(requests::add);
          plugins.add(attachment.getPlugin());
        }
      }
    }
    return written;
  }

  /** A claim that waits uses no attachment yet: that of its node is another's. */
  private void learn(Claim claim) {
    nodes.add(claim.getNode());
    claim.getRequest().ifPresent(requests::add);
    claim.getTerms().ifPresent(terms -> plugins.add(terms.getPlugin()));
    if (claim.getState() != ClaimState.WAITING) {
      attachedOn.add(claim.getNode());
    }
  }

  private boolean isOf(StateChange change, String table, String part) {
    return change.getTable().equals(table) && change.getKey().equals(key.of(part));
  }

  private static String text(Happening happening) {
    String code = happening.getCode().map(known -> " (" + EventTexts.word(known) + ")").orElse("");
    String message = happening.getMessage().isEmpty() ? "" : ": " + happening.getMessage();
    return happening.getName() + code + message;
  }

  /** Adds the calls of an attempt that are for the claim. */
  void work(TopicTail.Found<Work> found, Topic topic) {
    Work work = found.value();
    for (WorkCall call : work.getCalls()) {
      if (requests.contains(call.getRequestId())) {
        causes.add(
            Cause.newBuilder()
                .setKind(Cause.Kind.KIND_CALL)
                .setAt(ProtoTime.timestamp(work.getDispatchedAt()))
                .setPosition(position(topic, found))
                .setName(Words.csi(call.getCall().getRpc()))
                .setText(
                    "lane %s gives it out to the instance of %s on node %s"
                        .formatted(work.getLane(), work.getPlugin(), work.getInstanceNode()))
                .setRequest(call.getRequestId())
                .setAttempt(work.getAttemptId())
                .build());
      }
    }
  }

  /** Adds what became of a call, if it was for the claim. */
  void outcome(TopicTail.Found<Outcome> found) {
    Outcome outcome = found.value();
    if (!requests.contains(outcome.getRequestId())) {
      return;
    }
    Duration took = Duration.between(outcome.getStartedAt(), outcome.getEndedAt());
    String message = outcome.getMessage().isEmpty() ? "" : ": " + outcome.getMessage();
    causes.add(
        Cause.newBuilder()
            .setKind(Cause.Kind.KIND_OUTCOME)
            .setAt(ProtoTime.timestamp(found.at()))
            .setPosition(position(Topic.WORK_OUTCOMES, found))
            .setName(outcome.getCode().name())
            .setText(
                "worker %s, %s%s"
                    .formatted(outcome.getWorker(), Words.of(outcome.getFate()), message))
            .setRequest(outcome.getRequestId())
            .setAttempt(outcome.getAttemptId())
            .setTook(ProtoTime.duration(took.isNegative() ? Duration.ZERO : took))
            .build());
  }

  /** Where a record stands. */
  static Position position(Topic topic, TopicTail.Found<?> found) {
    return Position.newBuilder()
        .setTopic(topic.suffix())
        .setPartition(found.partition())
        .setOffset(found.offset())
        .build();
  }

  /** Since when anything can be about the claim. */
  static Instant since(dev.berth.proto.api.@Nullable Claim claim, Instant now) {
    return claim == null
        ? now.minus(Duration.ofDays(7))
        : ProtoTime.instant(claim.getClaimedAt()).minus(Duration.ofMinutes(1));
  }
}
