package dev.berth.driver.provider;

import java.util.List;

/**
 * One page of the provider's volumes, sorted by id.
 *
 * @param nextToken names the next page; empty on the last one
 */
public record VolumePage(List<Entry> entries, String nextToken) {

  public VolumePage {
    entries = List.copyOf(entries);
  }

  /** A volume and the nodes it is attached to, sorted. */
  public record Entry(Volume volume, List<String> nodes) {
    public Entry {
      nodes = List.copyOf(nodes);
    }
  }
}
