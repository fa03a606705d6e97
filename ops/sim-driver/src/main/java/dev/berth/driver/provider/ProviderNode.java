package dev.berth.driver.provider;

/**
 * A node as the provider knows it.
 *
 * @param id the provider's id
 * @param slots how many volumes can be attached at a time; 0 is no limit
 */
public record ProviderNode(String id, long slots) {
  public ProviderNode {
    if (id.isEmpty()) {
      throw new IllegalArgumentException("the id of a node is empty; give it one");
    }
    if (slots < 0) {
      throw new IllegalArgumentException(
          "slots %d of node %s: use 0 for no limit".formatted(slots, id));
    }
  }
}
