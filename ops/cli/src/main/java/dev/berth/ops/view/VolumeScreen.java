package dev.berth.ops.view;

import static java.util.stream.Collectors.joining;

import dev.berth.proto.api.Attachment;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ClaimState;
import dev.berth.proto.api.GetVolumeResponse;
import dev.berth.proto.api.Volume;
import java.util.List;
import java.util.function.Predicate;

/** All that an operator wants to know of a volume, on one screen. */
public final class VolumeScreen {
  private final GetVolumeResponse answer;
  private final Moments moments;
  private final Lines lines = new Lines();

  private VolumeScreen(GetVolumeResponse answer, Moments moments) {
    this.answer = answer;
    this.moments = moments;
  }

  /** Its lines, none wider than 100 columns but for commands and long names. */
  public static List<String> lines(GetVolumeResponse answer, Moments moments) {
    VolumeScreen screen = new VolumeScreen(answer, moments);
    screen.all();
    screen.commands();
    return screen.lines.lines();
  }

  /**
   * The same of a time that has passed: without what would help, and without what its plugins could
   * do then, which no table tells.
   *
   * @param then tells times from that time
   */
  public static List<String> past(GetVolumeResponse answer, Moments then) {
    VolumeScreen screen =
        new VolumeScreen(
            answer.toBuilder()
                .setVolume(answer.getVolume().toBuilder().setSchedulable(true).clearUnschedulable())
                .build(),
            then);
    screen.all();
    return screen.lines.lines();
  }

  private void all() {
    volume(answer.getVolume());
    claims("Held by", VolumeScreen::holds);
    claims("On the way out", claim -> !holds(claim) && !waits(claim));
    claims("Waiting", VolumeScreen::waits);
    attachments();
  }

  private void volume(Volume volume) {
    lines.head("Volume " + Tables.name(volume.getRef()));
    lines.say(
        1, "plugin", "%s, which calls it %s".formatted(volume.getPlugin(), volume.getExternalId()));
    lines.say(
        1,
        "state",
        Phrases.state(volume)
            + (volume.getUnschedulable().isEmpty() ? "" : ": " + volume.getUnschedulable()));
    lines.say(1, "can be", Phrases.capabilities(volume));
    lines.say(1, "topology", Phrases.topologies(volume));
    lines.say(1, "in use as", volume.hasCurrent() ? Phrases.capability(volume.getCurrent()) : "");
    if (volume.hasRegisteredAt()) {
      lines.say(1, "registered", registered(volume));
    }
    if (answer.getClaimsCount() == 0) {
      lines.say(1, "claims", "none: it is free");
    }
  }

  private String registered(Volume volume) {
    return moments.since(volume.getRegisteredAt())
        + (volume.getRegisteredBy().isEmpty() ? "" : " by " + volume.getRegisteredBy())
        + (volume.getRegisteredReason().isEmpty() ? "" : ": " + volume.getRegisteredReason());
  }

  private void claims(String head, Predicate<Claim> which) {
    List<Claim> some = answer.getClaimsList().stream().filter(which).toList();
    if (!some.isEmpty()) {
      lines.head(head);
      ClaimLines claim = new ClaimLines(lines, moments);
      some.forEach(claim::add);
    }
  }

  private void attachments() {
    if (answer.getAttachmentsCount() + answer.getForeignNodesCount() == 0) {
      return;
    }
    lines.head("Attached");
    for (Attachment attachment : answer.getAttachmentsList()) {
      lines.say(
          1,
          attachment.getNode(),
          "%s %s%s%s"
              .formatted(
                  MessageJson.word(attachment.getState().getValueDescriptor()),
                  moments.age(attachment.getStateSince()),
                  attachment.getExternalNodeId().isEmpty()
                      ? ""
                      : ", for the provider " + attachment.getExternalNodeId(),
                  attachment.getClaims() == 0 ? "" : ", claims: " + attachment.getClaims()));
    }
    lines.say(1, "not ours", answer.getForeignNodesList().stream().collect(joining(", ")));
  }

  private void commands() {
    List<String> commands = HelpfulCommands.of(answer);
    if (!commands.isEmpty()) {
      lines.head("What would help");
      commands.forEach(lines::plain);
    }
  }

  private static boolean holds(Claim claim) {
    return claim.getState() == ClaimState.CLAIM_STATE_TAKEN;
  }

  private static boolean waits(Claim claim) {
    return claim.getState() == ClaimState.CLAIM_STATE_WAITING;
  }
}
