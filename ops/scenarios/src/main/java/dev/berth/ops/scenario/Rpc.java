package dev.berth.ops.scenario;

import dev.berth.records.Call;
import dev.berth.records.CsiCall;
import dev.berth.workers.accept.Accepted;
import dev.berth.workers.secrets.Redaction;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An RPC that a worker made in a scenario, in the notation of scenario files. */
final class Rpc {
  private final Accepted accepted;
  private final int index;
  private final Redaction redaction;
  private final Instant started;
  private final Instant deadline;
  private @Nullable Instant ended;

  Rpc(Accepted accepted, int index, Redaction redaction, Instant started, Instant deadline) {
    this.accepted = accepted;
    this.index = index;
    this.redaction = redaction;
    this.started = started;
    this.deadline = deadline;
  }

  Accepted accepted() {
    return accepted;
  }

  int index() {
    return index;
  }

  Redaction redaction() {
    return redaction;
  }

  Instant started() {
    return started;
  }

  /** When its caller gives it up. */
  Instant deadline() {
    return deadline;
  }

  @Nullable Instant ended() {
    return ended;
  }

  void end(Instant at) {
    ended = at;
  }

  Call call() {
    return accepted.work().getCalls().get(index).getCall();
  }

  boolean toController() {
    return call().getRpc() == CsiCall.CONTROLLER_PUBLISH
        || call().getRpc() == CsiCall.CONTROLLER_UNPUBLISH;
  }

  String plugin() {
    return accepted.work().getPlugin();
  }

  String lane() {
    return plugin() + "/" + accepted.work().getLane();
  }

  /** Short name: CP, CU, NS, NP, NU, NT. */
  String kind() {
    return switch (call().getRpc()) {
      case CONTROLLER_PUBLISH -> "CP";
      case CONTROLLER_UNPUBLISH -> "CU";
      case NODE_STAGE -> "NS";
      case NODE_PUBLISH -> "NP";
      case NODE_UNPUBLISH -> "NU";
      case NODE_UNSTAGE -> "NT";
    };
  }

  String externalNode() {
    return call().getExternalNode().orElse("");
  }

  /** The notation with the controller instance: {@code CP vol-a i-2 rw @n1}. */
  String text() {
    Call call = call();
    String at = " @" + accepted.work().getInstanceNode();
    String subject = kind() + " " + call.getExternalVolume();
    return switch (call.getRpc()) {
      case CONTROLLER_PUBLISH ->
          subject + " " + externalNode() + (call.getReadOnly() ? " ro" : " rw") + at;
      case CONTROLLER_UNPUBLISH -> subject + " " + externalNode() + at;
      case NODE_STAGE, NODE_UNSTAGE -> subject + at;
      case NODE_PUBLISH, NODE_UNPUBLISH -> subject + " " + call.getAlloc().orElse("") + at;
    };
  }

  /** Whether a notation names it; that of a controller call may leave the instance out. */
  boolean is(String notation) {
    String full = text();
    return full.equals(notation)
        || (toController()
            && !notation.contains("@")
            && full.substring(0, full.lastIndexOf(" @")).equals(notation));
  }

  /** Checks that a text is in the notation. */
  static String notation(Value value) {
    String text = value.asText();
    String kind = text.split(" ", 2)[0].toUpperCase(Locale.ROOT);
    boolean known =
        switch (kind) {
          case "CP" -> text.matches("CP \\S+ \\S+ (rw|ro)( @\\S+)?");
          case "CU" -> text.matches("CU \\S+ \\S+( @\\S+)?");
          case "NS", "NT" -> text.matches("(NS|NT) \\S+ @\\S+");
          case "NP", "NU" -> text.matches("(NP|NU) \\S+ \\S+ @\\S+");
          default -> false;
        };
    if (!known) {
      throw value
          .place()
          .problem(
              "'"
                  + text
                  + "' is no RPC: write CP ext node rw|ro, CU ext node, NS|NT ext @n, NP|NU ext alloc @n");
    }
    return text;
  }
}
