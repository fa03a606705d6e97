package dev.berth.ops.alert;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.records.Hold;
import dev.berth.records.StuckClaim;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one record of {@code stuck-claims} tells people: that a claim is stuck, or how it was
 * resolved.
 *
 * @param id names this message, the same when it is sent again: topic, partition and offset
 * @param subject what it is about, the same in the message of its end: {@code
 *     namespace/volume/alloc}
 * @param claim the dead letter
 */
record Alert(String id, String subject, StuckClaim claim) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** One line for people. Chat systems show a field of this name. */
  String text() {
    String what =
        claim.getAlloc().isEmpty()
            ? "%s/%s".formatted(claim.getNamespace(), claim.getVolume())
            : "%s/%s alloc %s".formatted(claim.getNamespace(), claim.getVolume(), claim.getAlloc());
    String where = " on node " + claim.getNode();
    if (claim.getResolved()) {
      return "resolved: %s%s: %s"
          .formatted(what, where, claim.getResolution().orElse("it goes on"));
    }
    return "stuck: %s%s: %s, %s. %s"
        .formatted(
            what,
            where,
            word(claim.getHold().getCode()),
            claim.getHold().getMessage().replaceAll("\\p{Cntrl}+", " "),
            claim.getRemedy());
  }

  /** The body of the message. */
  String json() {
    Hold hold = claim.getHold();
    ObjectNode body = JSON.createObjectNode();
    body.put("text", text());
    body.put("event", claim.getResolved() ? "resolved" : "stuck");
    body.put("id", id);
    body.put("subject", subject);
    body.put("namespace", claim.getNamespace());
    body.put("volume", claim.getVolume());
    body.put("alloc", claim.getAlloc());
    body.put("node", claim.getNode());
    body.put("plugin", claim.getPlugin());
    body.put("externalVolume", claim.getExternalVolume());
    body.put("externalNode", claim.getExternalNode().orElse(null));
    body.put("state", word(claim.getState()));
    body.put("step", claim.getStep().map(Alert::word).orElse(null));
    body.put("code", word(hold.getCode()));
    body.put("message", hold.getMessage());
    body.put("rpcCode", hold.getRpcCode().map(Enum::name).orElse(null));
    body.put("attempts", hold.getAttempts());
    body.put("firstFailureAt", text(hold.getFirstFailure()));
    body.put("lastFailureAt", text(hold.getLastFailure()));
    body.put("nextRetryAt", text(hold.getNextRetry().orElse(null)));
    body.put("remedy", claim.getRemedy());
    body.put("resolution", claim.getResolution().orElse(null));
    body.put("at", text(claim.getAt()));
    return body.toString();
  }

  private static String word(Enum<?> symbol) {
    return symbol.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : Objects.toString(time);
  }
}
