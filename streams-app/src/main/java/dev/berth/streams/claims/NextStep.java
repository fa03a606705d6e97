package dev.berth.streams.claims;

import dev.berth.records.CsiCall;
import org.jspecify.annotations.Nullable;

/**
 * What is done for a claim now, or next, as an operator is told it; read off the rows, not decided.
 *
 * @param word attach, stage, publish, unpublish, unstage, detach, wait, client-unmount or free;
 *     empty when the alloc has what it asked for
 * @param request lane request of its call; null when it is no call, or not asked for yet
 */
public record NextStep(String word, @Nullable String request) {
  private static final NextStep NONE = new NextStep("", null);
  private static final String ATTACH = word(CsiCall.CONTROLLER_PUBLISH);
  private static final String DETACH = word(CsiCall.CONTROLLER_UNPUBLISH);
  private static final String FREE = "free";

  /** The word for a call. */
  public static String word(CsiCall call) {
    return switch (call) {
      case CONTROLLER_PUBLISH -> "attach";
      case CONTROLLER_UNPUBLISH -> "detach";
      case NODE_STAGE -> "stage";
      case NODE_PUBLISH -> "publish";
      case NODE_UNPUBLISH -> "unpublish";
      case NODE_UNSTAGE -> "unstage";
    };
  }

  /**
   * Reads it off.
   *
   * @param attachment attachment of the volume on the claim's node; null when there is none
   */
  static NextStep of(Claim claim, @Nullable Attachment attachment) {
    CsiCall own = claim.requestCall();
    if (own != null) {
      return new NextStep(word(own), claim.request());
    }
    return switch (claim.state()) {
      case WAITING -> new NextStep("wait", null);
      case RESERVING -> ofAttachment(attachment, ATTACH);
      case TAKEN -> claim.granted() ? NONE : ofAttachment(attachment, ATTACH);
      case UNPUBLISHING ->
          NodeSteps.done(claim.nodeStep())
              ? new NextStep(word(CsiCall.NODE_UNPUBLISH), null)
              : new NextStep("client-unmount", null);
      case NODE_DETACHED ->
          ofAttachment(
              attachment, attachment != null && attachment.controllerRequired() ? DETACH : FREE);
      case CONTROLLER_DETACHED -> new NextStep(FREE, null);
    };
  }

  private static NextStep ofAttachment(@Nullable Attachment attachment, String otherwise) {
    CsiCall call = attachment == null ? null : attachment.requestCall();
    return attachment == null || call == null
        ? new NextStep(otherwise, null)
        : new NextStep(word(call), attachment.request());
  }
}
