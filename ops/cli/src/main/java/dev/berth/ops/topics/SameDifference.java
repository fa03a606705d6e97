package dev.berth.ops.topics;

import dev.berth.schemas.topics.Difference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What differs in the same way in some topics, said once.
 *
 * @param differences those differences, one a topic; never empty
 */
public record SameDifference(List<Difference> differences) {
  private static final String EACH = "TOPIC";
  private static final int NAMED = 3;

  /** Copies. */
  public SameDifference {
    differences = List.copyOf(differences);
  }

  /** All of them, in the order of the first of each kind. */
  public static List<SameDifference> fold(List<Difference> differences) {
    Map<Difference, List<Difference>> same = new LinkedHashMap<>();
    for (Difference each : differences) {
      same.computeIfAbsent(nameless(each), key -> new ArrayList<>()).add(each);
    }
    return same.values().stream().map(SameDifference::new).toList();
  }

  /** Whether Berth does not start with it. */
  public boolean blocking() {
    return first().blocking();
  }

  /** The setting that differs. */
  public String setting() {
    return first().setting();
  }

  /** What is found and what is expected, for people. */
  public String text() {
    return "%s: %s is %s, expected %s"
        .formatted(topics(), first().setting(), first().found(), first().expected());
  }

  /** What to do; {@code TOPIC} stands for each when there are more of them. */
  public String remedy() {
    return differences.size() == 1 ? first().remedy() : nameless(first()).remedy();
  }

  private String topics() {
    if (differences.size() == 1) {
      return first().topic();
    }
    List<String> names = differences.stream().limit(NAMED).map(Difference::topic).toList();
    return "%d topics (%s%s)"
        .formatted(
            differences.size(),
            String.join(", ", names),
            differences.size() > NAMED ? ", ..." : "");
  }

  private Difference first() {
    return differences.get(0);
  }

  private static Difference nameless(Difference of) {
    return new Difference(
        EACH,
        of.setting(),
        of.expected(),
        of.found(),
        of.blocking(),
        of.remedy().replace(of.topic(), EACH));
  }
}
