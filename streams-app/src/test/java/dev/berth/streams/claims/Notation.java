package dev.berth.streams.claims;

import dev.berth.records.CsiCall;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.LaneRequest;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes calls, rows and answers as the scenarios do: {@code CP vol-a i-2 rw}, {@code a1 n2 write
 * taken}.
 */
final class Notation {
  private Notation() {}

  static String call(Call call) {
    String node = call.externalNode() == null ? "?" : call.externalNode();
    return switch (call.rpc()) {
      case CONTROLLER_PUBLISH ->
          "CP " + call.externalVolume() + " " + node + (call.readOnly() ? " ro" : " rw");
      case CONTROLLER_UNPUBLISH -> "CU " + call.externalVolume() + " " + node;
      case NODE_STAGE -> "NS " + call.externalVolume() + " @" + call.node();
      case NODE_UNSTAGE -> "NT " + call.externalVolume() + " @" + call.node();
      case NODE_PUBLISH -> "NP " + call.externalVolume() + " " + call.alloc() + " @" + call.node();
      case NODE_UNPUBLISH ->
          "NU " + call.externalVolume() + " " + call.alloc() + " @" + call.node();
    };
  }

  static String request(LaneRequest request) {
    LaneRequest.Body body = request.body();
    if (body instanceof LaneRequest.Enqueue enqueue) {
      return call(enqueue.call()) + (enqueue.takesSlot() ? " (slot)" : "");
    } else if (body instanceof LaneRequest.Wake wake) {
      return wake.newBudget() ? "retry" : "wake";
    } else if (body instanceof LaneRequest.ReserveExternalId reserve) {
      return "reserve " + request.plugin() + " " + reserve.externalVolume();
    } else if (body instanceof LaneRequest.ReleaseExternalId release) {
      return "release " + request.plugin() + " " + release.externalVolume();
    } else if (body instanceof LaneRequest.ReleaseSlot release) {
      return "release slot " + release.externalVolume() + " " + release.node();
    }
    return "withdraw";
  }

  static String row(Claim claim) {
    String text =
        claim.alloc()
            + " "
            + claim.node()
            + " "
            + lower(claim.ask().mode())
            + " "
            + lower(claim.state());
    Hold hold = claim.hold();
    if (hold == null) {
      return text;
    }
    return text + (hold.stuck() ? " stuck=" : " hold=") + lower(hold.code());
  }

  static String attachment(Attachment attachment) {
    return (attachment.externalNode() == null ? attachment.node() : attachment.externalNode())
        + " "
        + lower(attachment.state());
  }

  static String reply(ClaimsEffect.Replied reply) {
    return reply.alloc()
        + " "
        + lower(reply.outcome())
        + word(" ", reply.code())
        + word(" hold=", reply.hold())
        + (reply.heldBy() == null ? "" : " held-by=" + reply.heldBy())
        + context(reply.publishContext());
  }

  static String deadLetter(ClaimsEffect effect) {
    if (effect instanceof ClaimsEffect.Stuck stuck) {
      return about(stuck.letter())
          + word(" ", stuck.letter().hold().code())
          + word(" at ", stuck.step());
    }
    ClaimsEffect.Resolved resolved = (ClaimsEffect.Resolved) effect;
    return about(resolved.letter()) + " resolved";
  }

  private static String about(DeadLetter letter) {
    return letter.alloc() == null ? "@" + letter.node() : letter.alloc();
  }

  /** Short name of an RPC. */
  static String rpc(CsiCall call) {
    return switch (call) {
      case CONTROLLER_PUBLISH -> "CP";
      case CONTROLLER_UNPUBLISH -> "CU";
      case NODE_STAGE -> "NS";
      case NODE_PUBLISH -> "NP";
      case NODE_UNPUBLISH -> "NU";
      case NODE_UNSTAGE -> "NT";
    };
  }

  private static String context(Map<String, String> context) {
    return context.isEmpty() ? "" : " " + context;
  }

  private static String word(String before, @Nullable Enum<?> value) {
    return value == null ? "" : before + lower(value);
  }

  static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
