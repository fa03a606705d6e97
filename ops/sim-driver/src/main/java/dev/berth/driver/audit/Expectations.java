package dev.berth.driver.audit;

import java.util.Set;

/**
 * What the caller was allowed to do.
 *
 * @param openPerPlugin controller calls of one plugin that may be open together; depends on how its
 *     lanes are cut
 * @param openPerVolume controller calls of one volume that may be open together
 * @param lostNodes provider's ids of nodes that were fenced or lost: volumes may be detached from
 *     them without the node's steps
 */
public record Expectations(int openPerPlugin, int openPerVolume, Set<String> lostNodes) {

  public Expectations {
    lostNodes = Set.copyOf(lostNodes);
    if (openPerPlugin < 1 || openPerVolume < 1) {
      throw new IllegalArgumentException(
          "open per plugin %d, per volume %d: at least one call must be allowed"
              .formatted(openPerPlugin, openPerVolume));
    }
  }

  /** One controller call per plugin at a time, no node lost. */
  public static Expectations strict() {
    return new Expectations(1, 1, Set.of());
  }

  /** The same for lanes that are narrower than a plugin. */
  public Expectations withOpenPerPlugin(int limit) {
    return new Expectations(limit, openPerVolume, lostNodes);
  }

  /** The same for lanes that are narrower than a volume. */
  public Expectations withOpenPerVolume(int limit) {
    return new Expectations(openPerPlugin, limit, lostNodes);
  }

  /** The same with these nodes lost. */
  public Expectations withLostNodes(Set<String> nodes) {
    return new Expectations(openPerPlugin, openPerVolume, nodes);
  }
}
