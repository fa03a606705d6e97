package dev.berth.streams.lanes;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A page of a listing.
 *
 * @param volumes the provider's volume ids, each with the provider's ids of the nodes it is
 *     published to
 */
public record ListedPage(Map<String, List<String>> volumes) {

  /** Keeps a copy in order; an empty node id, which some plugins list, names no node. */
  public ListedPage {
    TreeMap<String, List<String>> copy = new TreeMap<>();
    volumes.forEach(
        (volume, nodes) ->
            copy.put(
                volume,
                nodes.stream().filter(node -> !node.isEmpty()).distinct().sorted().toList()));
    volumes = Collections.unmodifiableSortedMap(copy);
  }

  /** What two entries for one volume say together. */
  public static List<String> both(List<String> one, List<String> other) {
    return Stream.concat(one.stream(), other.stream()).distinct().sorted().toList();
  }
}
