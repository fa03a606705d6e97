package dev.berth.streams.query;

import dev.berth.records.Attachment;
import dev.berth.records.Claim;
import dev.berth.records.ClaimState;
import dev.berth.records.CsiCall;
import dev.berth.records.StateChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a decision wrote of a claim, for one of which nothing else is told.
 *
 * @param name the state that it is in now
 * @param text what is asked for by it; may be empty
 */
record WrittenText(String name, String text) {

  /**
   * Tells of the rows.
   *
   * @param written rows of the claim and of the attachment that it uses
   * @param claims name of the table of claims
   * @param askedBefore lane requests that were known before
   */
  static WrittenText of(List<StateChange> written, String claims, Set<String> askedBefore) {
    String name = "noted";
    List<String> asked = new ArrayList<>();
    for (StateChange change : written) {
      boolean ofClaim = change.getTable().equals(claims);
      Object value = change.getValue().orElse(null);
      if (value instanceof Claim claim) {
        name = state(claim);
        ask(claim.getRequest(), claim.getRequestCall(), askedBefore).ifPresent(asked::add);
      } else if (value instanceof Attachment attachment) {
        name = name.equals("noted") ? "attachment " + Words.of(attachment.getState()) : name;
        ask(attachment.getRequest(), attachment.getRequestCall(), askedBefore)
            .ifPresent(asked::add);
      } else {
        name = ofClaim ? "removed" : name.equals("noted") ? "attachment removed" : name;
      }
    }
    return new WrittenText(
        name, asked.isEmpty() ? "" : "asks for the " + String.join(" and the ", asked));
  }

  private static String state(Claim claim) {
    return claim.getState() == ClaimState.RESERVING ? "reserved" : Words.of(claim.getState());
  }

  private static Optional<String> ask(
      Optional<String> request, Optional<CsiCall> call, Set<String> askedBefore) {
    return request
        .filter(id -> !askedBefore.contains(id))
        .flatMap(id -> call)
        .map(WrittenText::step);
  }

  private static String step(CsiCall call) {
    return switch (call) {
      case CONTROLLER_PUBLISH -> "attach";
      case CONTROLLER_UNPUBLISH -> "detach";
      case NODE_STAGE -> "stage";
      case NODE_PUBLISH -> "publish";
      case NODE_UNPUBLISH -> "unpublish";
      case NODE_UNSTAGE -> "unstage";
    };
  }
}
