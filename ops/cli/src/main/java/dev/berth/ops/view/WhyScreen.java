package dev.berth.ops.view;

import com.google.protobuf.Timestamp;
import dev.berth.proto.api.Cause;
import dev.berth.proto.api.Position;
import dev.berth.proto.api.WhyClaimResponse;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Why a claim is where it is: what it waits for, and how it came there, record by record. */
public final class WhyScreen {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MM-dd HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private WhyScreen() {}

  /** Its lines. */
  public static List<String> lines(WhyClaimResponse answer, Moments moments) {
    Lines lines = new Lines();
    if (answer.hasClaim()) {
      lines.head("Claim on " + Tables.name(answer.getClaim().getRef()));
      new ClaimLines(lines, moments).add(answer.getClaim());
    } else {
      lines.head("The claim is gone; this is its history.");
    }
    if (answer.getReasonsCount() > 0) {
      lines.head("It waits for");
      answer.getReasonsList().forEach(reason -> add(lines, reason));
    }
    lines.head(
        answer.getChainTruncated()
            ? "How it came there (older records not looked at)"
            : "How it came there");
    answer.getChainList().forEach(cause -> add(lines, cause));
    return lines.lines();
  }

  private static void add(Lines lines, WhyClaimResponse.Reason reason) {
    lines.say(1, reason.getCode(), reason.getText());
    lines.say(2, "held by", String.join(", ", reason.getHeldByList()));
    lines.say(2, "remedy", reason.getRemedy());
  }

  private static void add(Lines lines, Cause cause) {
    String kind = MessageJson.word(cause.getKind().getValueDescriptor());
    String when = "%s  %-8s".formatted(time(cause.getAt()), kind);
    String what = cause.getName() + took(cause);
    String place = cause.hasPosition() ? place(cause.getPosition()) : "";
    String whole = (when + "  " + what + "  " + place).stripTrailing();
    if (whole.length() + 2 <= Lines.WIDTH) {
      lines.plain(whole);
    } else {
      // One record can cause many decisions, and topics have long names.
      lines.say(1, when, what);
      lines.say(5, "", place);
    }
    lines.say(5, "", cause.getText());
  }

  private static String took(Cause cause) {
    return cause.hasTook()
        ? " after " + dev.berth.ops.terminal.DurationText.exact(Moments.duration(cause.getTook()))
        : "";
  }

  private static String time(Timestamp at) {
    return TIME.format(Moments.instant(at));
  }

  private static String place(Position position) {
    return "%s-%d@%d".formatted(position.getTopic(), position.getPartition(), position.getOffset());
  }
}
