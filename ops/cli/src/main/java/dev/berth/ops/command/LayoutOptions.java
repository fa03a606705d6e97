package dev.berth.ops.command;

import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Partitioning;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How many partitions and copies topics are to have. */
final class LayoutOptions {

  @Option(
      names = "--replication-factor",
      paramLabel = "COUNT",
      defaultValue = "3",
      description = "Copies of each partition (default: 3; 1 is for trials).")
  private int copies = 3;

  @Option(
      names = "--partitions",
      paramLabel = "KIND=COUNT",
      split = ",",
      description =
          "Partitions of the topics of a kind (volume, lane, plugin, node, key); for each kind"
              + " the catalogue has a default.")
  private Map<String, Integer> partitions = new LinkedHashMap<>();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /**
   * The layout.
   *
   * @throws ParameterException naming what is not possible and the remedy
   */
  Layout layout() {
    Map<Partitioning, Integer> counts = new EnumMap<>(Partitioning.class);
    partitions.forEach((kind, count) -> counts.put(kind(kind), count));
    try {
      return new Layout(copies, counts);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private Partitioning kind(String word) {
    return Stream.of(Partitioning.values())
        .filter(kind -> kind.name().equalsIgnoreCase(word))
        .findFirst()
        .orElseThrow(
            () ->
                usage(
                    "--partitions: '%s' is no kind of topics; there are %s"
                        .formatted(
                            word,
                            Stream.of(Partitioning.values())
                                .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", ")))));
  }

  private ParameterException usage(String message) {
    if (command == null) {
      throw new IllegalStateException("not mixed into a command: " + message);
    }
    return new ParameterException(command.commandLine(), message);
  }
}
