package dev.berth.ops.demo;

import java.time.Duration;
import java.util.List;

/**
 * What one alloc does: claims its volumes in one transaction, runs once it has them all, ends.
 *
 * @param id alloc id
 * @param node node it is placed on
 * @param uses volumes it claims, at least one
 * @param start when it claims
 * @param runs how long it runs at least
 * @param end how it ends
 */
public record DemoAlloc(
    String id, String node, List<DemoUse> uses, DemoStart start, Duration runs, DemoEnd end) {

  /** Copies its list. */
  public DemoAlloc {
    uses = List.copyOf(uses);
  }

  /** Whether the script makes it wait for another alloc. */
  public boolean waits() {
    return start instanceof DemoStart.BehindHolder;
  }
}
