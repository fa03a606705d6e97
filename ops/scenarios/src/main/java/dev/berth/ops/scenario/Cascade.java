package dev.berth.ops.scenario;

import dev.berth.records.ClaimDecision;
import dev.berth.records.LaneRequest;
import dev.berth.records.Settlement;
import dev.berth.schemas.topics.Topic;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the consequences of one input followed from each other. Each topic keeps its
 * own order; across topics it is found from what a decision says it was made of.
 *
 * @param <E> something that may be about a record
 */
final class Cascade<E> {
  /** What Cluster and the router pass on before anybody decides. */
  private static final Set<Topic> FIRST =
      Set.of(Topic.CLUSTER_COMMANDS, Topic.VOLUME_SIGNALS, Topic.LANE_SIGNALS);

  /** What Lanes writes last. */
  private static final Set<Topic> LAST =
      Set.of(
          Topic.LANE_STATUS,
          Topic.NODE_SLOTS,
          Topic.PLUGIN_WORK,
          Topic.NODE_WORK,
          Topic.DRIFT_FINDINGS,
          Topic.REJECTED_RECORDS);

  private final Function<E, @Nullable Seen> record;
  private final Map<Topic, List<E>> left = new EnumMap<>(Topic.class);
  private final List<E> ordered = new ArrayList<>();

  private Cascade(Function<E, @Nullable Seen> record) {
    this.record = record;
  }

  /**
   * Orders a cause and its consequences.
   *
   * @param group the cause first
   * @param record the record that an element is about; null when it is about none: then it stays
   *     where it is, behind everything before it
   */
  static <E> List<E> ordered(List<E> group, Function<E, @Nullable Seen> record) {
    Cascade<E> cascade = new Cascade<>(record);
    for (int i = 0; i < group.size(); i++) {
      Seen about = record.apply(group.get(i));
      if (i == 0 || about == null) {
        cascade.takeAll();
        cascade.ordered.add(group.get(i));
      } else {
        cascade.left.computeIfAbsent(about.topic(), t -> new ArrayList<>()).add(group.get(i));
      }
    }
    cascade.takeAll();
    return cascade.ordered;
  }

  private void takeAll() {
    FIRST.stream().sorted().forEach(this::take);
    for (E decision : of(Topic.CLAIM_HISTORY)) {
      if (value(decision) instanceof ClaimDecision made
          && made.getEvent() instanceof Settlement settlement) {
        takeThrough(
            Topic.LANE_REQUESTS,
            it ->
                it instanceof LaneRequest request
                    && request.getRequestId().equals(settlement.getRequestId()));
        takeThrough(Topic.SETTLEMENTS, settlement::equals);
      }
      ordered.add(decision);
    }
    left.remove(Topic.CLAIM_HISTORY);
    List.copyOf(left.keySet()).stream().filter(topic -> !LAST.contains(topic)).forEach(this::take);
    LAST.stream().sorted().forEach(this::take);
  }

  private @Nullable Object value(E element) {
    Seen about = record.apply(element);
    return about == null ? null : about.value();
  }

  private List<E> of(Topic topic) {
    return left.getOrDefault(topic, List.of());
  }

  private void take(Topic topic) {
    ordered.addAll(of(topic));
    left.remove(topic);
  }

  /** The records of a topic up to the one that is meant; none when none is. */
  private void takeThrough(Topic topic, Predicate<@Nullable Object> meant) {
    List<E> all = of(topic);
    for (int i = 0; i < all.size(); i++) {
      if (meant.test(value(all.get(i)))) {
        List<E> taken = all.subList(0, i + 1);
        ordered.addAll(taken);
        taken.clear();
        return;
      }
    }
  }
}
