package dev.berth.ops.scenario;

import dev.berth.records.Call;
import dev.berth.records.CsiCall;
import dev.berth.records.Work;
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

  private final Work work;
  private final int index;
  private final Instant started;
  private @Nullable Instant ended;

  /**
   * An RPC that is open.
   *
   * @param work the attempt that it belongs to
   * @param index which of its calls (0 is the first)
   * @param started when it began
   */
  Rpc(Work work, int index, Instant started) {
    this.work = work;
    this.index = index;
    this.started = started;
  }

  Work work() {
    return work;
  }

  int index() {
    return index;
  }

  Instant started() {
    return started;
  }

  @Nullable Instant ended() {
    return ended;
  }

  void end(Instant at) {
    ended = at;
  }

  Call call() {
    return work.getCalls().get(index).getCall();
  }

  boolean toController() {
    return call().getRpc() == CsiCall.CONTROLLER_PUBLISH
        || call().getRpc() == CsiCall.CONTROLLER_UNPUBLISH;
  }

  String plugin() {
    return work.getPlugin();
  }

  String lane() {
    return plugin() + "/" + work.getLane();
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
    return text(call()) + " @" + work.getInstanceNode();
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
   * Whether a notation begins with a text. A text that is a whole notation names that RPC only:
   * {@code CU vol-a i-1} not what is detached from i-12.
   */
  static boolean begins(String notation, String text) {
    return isNotation(text) ? (notation + " ").startsWith(text + " ") : notation.startsWith(text);
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
