package dev.berth.streams.claims;

import dev.berth.streams.kernel.KeyOrder;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One volume as an operator looks at it: its rows, and what the rules of the decider say of them
 * now. It only reads.
 */
public final class VolumeStatus {
  private static final Comparator<Claim> ARRIVAL =
      Comparator.comparing((Claim claim) -> claim.ask().at()).thenComparing(Claim::generation);

  private final VolumeDraft rows;

  private VolumeStatus(VolumeDraft rows) {
    this.rows = rows;
  }

  /**
   * Looks at a volume.
   *
   * @param state the tables of {@link ClaimTables} and of the cluster
   * @param now time to look at
   */
  public static VolumeStatus of(State state, VolumeKey key, Instant now) {
    return new VolumeStatus(new VolumeDraft(state, key, now, Policies.DEFAULTS));
  }

  /** The volume; empty when it is not registered. */
  public Optional<Volume> volume() {
    return Optional.ofNullable(rows.volume());
  }

  /** Its claims in the order of arrival, rows on their way out included. */
  public List<Claim> claims() {
    return rows.claims().stream().sorted(ARRIVAL).toList();
  }

  /** Its attachments in the order of their nodes. */
  public List<Attachment> attachments() {
    return rows.attachments();
  }

  /** The provider's ids of the nodes with an attachment that no claim asked for. */
  public List<String> foreignNodes() {
    return rows.listing().foreign().stream().map(VolumeListing.Foreign::externalNode).toList();
  }

  /** The open dead letters about detaches of such attachments, in the order of the nodes. */
  public List<DeadLetter> foreignLetters() {
    List<DeadLetter> letters = new ArrayList<>();
    for (VolumeListing.Foreign foreign : rows.listing().foreign()) {
      if (foreign.letter() != null && foreign.hold() != null) {
        letters.add(ForeignAttachments.letter(rows, foreign, foreign.hold()));
      }
    }
    letters.sort(Comparator.comparing(DeadLetter::node, KeyOrder.OF_STORES));
    return letters;
  }

  /** Why a claim would be rejected for its plugin, or for its registration; empty when not. */
  public Optional<String> unschedulable() {
    Volume volume = rows.volume();
    if (volume == null) {
      return Optional.of("not registered");
    }
    if (rows.claimable() == null) {
      return Optional.of("its registration is " + volume.state());
    }
    return Optional.ofNullable(Taking.unschedulable(rows, volume.spec().plugin()))
        .map(Claim.Rejection::message);
  }

  /** The claims that use an attachment, rows on their way out included. */
  public long uses(Attachment attachment) {
    return rows.countingOn(attachment.node()).size();
  }

  /** What is done for a claim now, or next. */
  public NextStep nextStep(Claim claim) {
    return NextStep.of(claim, attachment(claim));
  }

  private @Nullable Attachment attachment(Claim claim) {
    return rows.attachments().stream()
        .filter(attachment -> Objects.equals(attachment.node(), claim.node()))
        .findFirst()
        .orElse(null);
  }
}
