package dev.berth.driver.provider;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a node holds of one volume.
 *
 * @param staged where it is staged; empty if it is not
 * @param published target path to usage
 */
public record Mount(
    String volume, String node, Optional<Staged> staged, Map<String, Usage> published) {

  public Mount {
    published = Map.copyOf(published);
  }

  /** The staging of a volume. */
  public record Staged(String path, Usage usage) {}

  static Mount none(String volume, String node) {
    return new Mount(volume, node, Optional.empty(), Map.of());
  }

  boolean isEmpty() {
    return staged.isEmpty() && published.isEmpty();
  }

  Mount withStaged(Optional<Staged> other) {
    return new Mount(volume, node, other, published);
  }

  Mount withPublished(String target, Usage usage) {
    Map<String, Usage> more = new TreeMap<>(published);
    more.put(target, usage);
    return new Mount(volume, node, staged, more);
  }

  Mount withoutPublished(String target) {
    Map<String, Usage> fewer = new TreeMap<>(published);
    fewer.remove(target);
    return new Mount(volume, node, staged, fewer);
  }
}
