package dev.berth.ops.scenario;

import dev.berth.records.Call;
import dev.berth.records.CsiCall;
import dev.berth.workers.accept.Accepted;
import dev.berth.workers.secrets.Redaction;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An RPC that a worker made in a scenario, in the notation of scenario files. */
public final class Rpc {
  /** Short names of the calls. */
  static final List<String> KINDS = List.of("CP", "CU", "NS", "NP", "NU", "NT");

  /** How to write one, for messages. */
  static final String FORM = "CP ext node rw|ro, CU ext node, NS|NT ext @n or NP|NU ext alloc @n";

  private static final List<Pattern> NOTATIONS =
      Stream.of(
              "CP \\S+ [^@\\s]\\S* (rw|ro)( @\\S+)?",
              "CU \\S+ [^@\\s]\\S*( @\\S+)?",
              "(NS|NT) \\S+ @\\S+",
              "(NP|NU) \\S+ [^@\\s]\\S* @\\S+")
          .map(Pattern::compile)
          .toList();

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
    return kind(call());
  }

  private static String kind(Call call) {
    return switch (call.getRpc()) {
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
    return text(call()) + " @" + accepted.work().getInstanceNode();
  }

  /** The notation without the instance: {@code CP vol-a i-2 rw}. */
  public static String text(Call call) {
    String subject = kind(call) + " " + call.getExternalVolume();
    return switch (call.getRpc()) {
      case CONTROLLER_PUBLISH ->
          subject + " " + call.getExternalNode().orElse("") + (call.getReadOnly() ? " ro" : " rw");
      case CONTROLLER_UNPUBLISH -> subject + " " + call.getExternalNode().orElse("");
      case NODE_STAGE, NODE_UNSTAGE -> subject;
      case NODE_PUBLISH, NODE_UNPUBLISH -> subject + " " + call.getAlloc().orElse("");
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

  /**
   * Whether its notation begins with a text. A text that is a whole notation names that RPC only:
   * {@code CU vol-a i-1} not what is detached from i-12.
   */
  boolean beginsWith(String text) {
    return isNotation(text) ? (text() + " ").startsWith(text + " ") : text().startsWith(text);
  }

  /** Whether a text is in the notation. */
  public static boolean isNotation(String text) {
    return NOTATIONS.stream().anyMatch(form -> form.matcher(text).matches());
  }

  /** Whether a text is how a notation may begin; its kind is there in full. */
  static boolean isBeginOfNotation(String text) {
    return KINDS.contains(text.split(" ", 2)[0])
        && NOTATIONS.stream()
            .map(form -> form.matcher(text))
            .anyMatch(form -> form.matches() || form.hitEnd());
  }
}
