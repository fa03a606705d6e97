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
    lines.plain(
        "%s  %-8s  %s%s%s"
            .formatted(
                time(cause.getAt()),
                MessageJson.word(cause.getKind().getValueDescriptor()),
                cause.getName(),
                cause.hasTook()
                    ? " after "
                        + dev.berth.ops.terminal.DurationText.exact(
                            Moments.duration(cause.getTook()))
                    : "",
                cause.hasPosition() ? "  " + place(cause.getPosition()) : ""));
    lines.say(5, "", cause.getText());
  }

  private static String time(Timestamp at) {
    return TIME.format(Moments.instant(at));
  }

  private static String place(Position position) {
    return "%s-%d@%d".formatted(position.getTopic(), position.getPartition(), position.getOffset());
  }
}
