package dev.berth.ops.scenario;

import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What happened at the edges of the world, in order. The test driver carries out one input at a
 * time, so that what comes out before the next input was caused by the last. Notes only; texts are
 * made for those who ask.
 */
final class Trace {
  private static final int MOST_LINES = 40;

  /** Copies of rows whose change the decision beside them tells. */
  private static final Set<Topic> TOLD_BY_DECISIONS =
      Set.of(Topic.VOLUMES, Topic.CLAIMS, Topic.ATTACHMENTS);

  /** Numbers that matter to who looks at a plugin's lanes. */
  private static final Set<Topic> NUMBERS = Set.of(Topic.LANE_STATUS, Topic.NODE_SLOTS);

  private final Supplier<Instant> clock;
  private final Instant begin;
  private final List<Entry> entries = new ArrayList<>();

  Trace(Instant begin, Supplier<Instant> clock) {
    this.begin = begin;
    this.clock = clock;
  }

  /**
   * Something that happened.
   *
   * @param at when
   * @param kind what kind of thing
   * @param record the record; null when it is none
   * @param text what happened; empty for a record, which speaks for itself
   * @param subjects what it is about; empty for a record
   */
  private record Entry(
      Instant at, TraceLine.Kind kind, @Nullable Seen record, String text, Set<String> subjects) {

    boolean concerns(About about) {
      if (about.subjects().isEmpty()) {
        return true;
      }
      return about.concerns(record == null ? subjects : Subjects.of(record.value()));
    }
  }

  // ---- notes

  /** A record comes in. */
  void came(Seen record) {
    add(TraceLine.Kind.EVENT, record, "", Set.of());
  }

  /** Records went out; when nothing else caused them, the time did. */
  void went(List<Seen> records, boolean byTime) {
    if (records.isEmpty()) {
      return;
    }
    if (byTime) {
      add(TraceLine.Kind.TIME, null, "something was due", Set.of());
    }
    for (Seen record : records) {
      boolean decision = record.topic() == Topic.CLAIM_HISTORY;
      add(decision ? TraceLine.Kind.DECISION : TraceLine.Kind.EFFECT, record, "", Set.of());
    }
  }

  /** A plugin is called. */
  void called(Rpc rpc) {
    add(TraceLine.Kind.RPC, null, rpc.text(), Subjects.of(rpc.call(), rpc.plugin()));
  }

  /** A call has ended. */
  void answered(Rpc rpc, String answer) {
    add(
        TraceLine.Kind.ANSWER,
        null,
        rpc.text() + ": " + answer,
        Subjects.of(rpc.call(), rpc.plugin()));
  }

  /** Something is done to the processes. */
  void step(String text) {
    add(TraceLine.Kind.STEP, null, text, Set.of());
  }

  private void add(TraceLine.Kind kind, @Nullable Seen record, String text, Set<String> subjects) {
    entries.add(new Entry(clock.get(), kind, record, text, subjects));
  }

  // ---- texts

  /** Everything but numbers. */
  List<TraceLine> all() {
    return lines(About.everything(), Integer.MAX_VALUE);
  }

  /** The last of what concerns something, each thing below its cause. */
  List<TraceLine> last(About about) {
    return lines(about, MOST_LINES);
  }

  private List<TraceLine> lines(About about, int most) {
    List<List<TraceLine>> groups = new ArrayList<>();
    int lines = 0;
    int end = entries.size();
    while (end > 0 && lines < most) {
      int cause = end - 1;
      while (cause > 0 && !entries.get(cause).kind().isCause()) {
        cause--;
      }
      List<TraceLine> group = group(entries.subList(cause, end), about);
      groups.add(0, group);
      lines += group.size();
      end = cause;
    }
    List<TraceLine> all = new ArrayList<>();
    groups.forEach(all::addAll);
    int left = all.size() - most;
    if (left > 0 || (end > 0 && earlier(end, about))) {
      all.subList(0, Math.max(left, 0)).clear();
      Duration since = all.isEmpty() ? Duration.ZERO : all.get(0).since();
      all.add(
          0, new TraceLine(since, TraceLine.Kind.EARLIER, "", "", "what came before is left out"));
    }
    return all;
  }

  private boolean earlier(int end, About about) {
    return entries.subList(0, end).stream().anyMatch(entry -> entry.concerns(about));
  }

  /** A cause with what of its consequences matters; nothing when nothing does. */
  private List<TraceLine> group(List<Entry> group, About about) {
    boolean decided = group.stream().anyMatch(entry -> entry.kind() == TraceLine.Kind.DECISION);
    List<TraceLine> lines = new ArrayList<>();
    boolean matters = false;
    for (Entry entry : decided ? Cascade.ordered(group, Entry::record) : group) {
      Seen record = entry.record();
      boolean left = record != null && isLeftOut(record.topic(), decided, about);
      boolean concerned = !left && entry.concerns(about);
      matters |= concerned;
      if (concerned || entry.kind().isCause()) {
        lines.add(line(entry));
      }
    }
    return matters ? lines : List.of();
  }

  private static boolean isLeftOut(Topic topic, boolean decided, About about) {
    return (decided && TOLD_BY_DECISIONS.contains(topic))
        || (NUMBERS.contains(topic) && !about.isPlugin());
  }

  private TraceLine line(Entry entry) {
    Duration since = Duration.between(begin, entry.at());
    Seen record = entry.record();
    return record == null
        ? new TraceLine(since, entry.kind(), "", "", entry.text())
        : new TraceLine(
            since, entry.kind(), record.topic().suffix(), record.key(), RecordText.of(record));
  }
}
