package dev.berth.ops.record;

import dev.berth.ops.scenario.Words;
import dev.berth.records.ClaimReply;
import dev.berth.records.HoldCode;
import dev.berth.records.RejectCode;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.StuckClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What happened since the file last expected anything, as what it expects next. */
final class Observed {
  private final Wanted wanted;
  private final Set<String> allocs;
  private final boolean lanesShared;
  private final VolumeTable table = new VolumeTable();
  private final Set<String> queued = new LinkedHashSet<>();
  private final List<String> rpcs = new ArrayList<>();
  private final Map<String, Object> replies = new LinkedHashMap<>();
  private final List<Object> stuck = new ArrayList<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private @Nullable Object result;
  private boolean any;

  /**
   * Of nothing yet.
   *
   * @param allocs those that a file may name
   * @param lanesShared whether calls for others took their turns in the same lanes: a request then
   *     waits for what the file does not have
   */
  Observed(Wanted wanted, Set<String> allocs, boolean lanesShared) {
    this.wanted = wanted;
    this.allocs = allocs;
    this.lanesShared = lanesShared;
  }

  boolean any() {
    return any;
  }

  /** Takes what is no input. */
  void add(Item item) {
    any = true;
    if (item instanceof Item.Decided decided) {
      table.apply(decided.decision());
      changed.add(decided.decision().getNamespace() + "/" + decided.decision().getVolume());
    } else if (item instanceof Item.Started started) {
      queued.remove(started.request());
      rpcs.add(started.text());
    } else if (item instanceof Item.Queued request) {
      queued.add(request.request());
    } else if (item instanceof Item.Replied replied) {
      if (allocs.contains(replied.reply().getAlloc())) {
        replies.put(replied.reply().getAlloc(), reply(replied.reply()));
      }
    } else if (item instanceof Item.Dead dead) {
      stuck.add(stuck(dead.letter()));
    } else if (item instanceof Item.Result answered) {
      result = answered.told() ? answered.result() : null;
    }
  }

  private Object reply(ClaimReply reply) {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("outcome", Words.of(reply.getOutcome()));
    reply
        .getCode()
        .filter(code -> code != RejectCode.UNRECOGNIZED)
        .ifPresent(code -> told.put("code", Words.of(code)));
    reply.getHeldBy().filter(allocs::contains).ifPresent(alloc -> told.put("held-by", alloc));
    if (reply.getOutcome() == ReplyOutcome.GRANTED && !reply.getPublishContext().isEmpty()) {
      told.put("context", reply.getPublishContext());
    }
    return told.size() == 1 ? Words.of(reply.getOutcome()) : told;
  }

  private static Object stuck(StuckClaim letter) {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("volume", shown(letter.getNamespace() + "/" + letter.getVolume()));
    boolean ofClaim = !letter.getAlloc().isEmpty();
    told.put(ofClaim ? "alloc" : "node", ofClaim ? letter.getAlloc() : letter.getNode());
    if (letter.getResolved()) {
      told.put("resolved", true);
    } else if (letter.getHold().getCode() != HoldCode.UNRECOGNIZED) {
      told.put("code", Words.of(letter.getHold().getCode()));
    }
    return told;
  }

  /** A volume as tables name it. */
  static String shown(String volume) {
    return volume.startsWith("default/") ? volume.substring("default/".length()) : volume;
  }

  /** What a file expects now; then it is spent. */
  Step spend() {
    Step step = Step.of("expect");
    // A request that waits for others here would have begun in the file.
    if (!lanesShared || queued.isEmpty()) {
      step = step.with("rpcs", List.copyOf(rpcs));
      rpcs.clear();
    }
    step = step.unless(Map.of(), "replies", Map.copyOf(replies));
    step = step.unless(List.of(), "stuck", List.copyOf(stuck)).with("result", result);
    Map<String, Object> tables = new LinkedHashMap<>();
    changed.forEach(volume -> tables.put(shown(volume), table.claims(volume, allocs)));
    step = step.unless(Map.of(), "table", tables);
    forget();
    return step;
  }

  private void forget() {
    replies.clear();
    stuck.clear();
    changed.clear();
    result = null;
    any = false;
  }

  /** What a file expects at its end, of everything. */
  Step spendAtEnd() {
    changed.addAll(wanted.sorted());
    Step step = spend();
    Map<String, Object> attachments = new LinkedHashMap<>();
    wanted.sorted().forEach(volume -> attachments.put(shown(volume), table.attachments(volume)));
    return step.with("attachments", attachments);
  }
}
