package dev.berth.schemas.topics;

import java.util.List;
import java.util.Map;

/**
 * What a provisioning did and found.
 *
 * @param created topics that did not exist, by their names on the cluster
 * @param schemaIds schema id by subject
 * @param differences where existing topics are not as wanted; nothing was done about them
 */
public record Provisioned(
    List<String> created, Map<String, Integer> schemaIds, List<Difference> differences) {

  /** Copies its collections. */
  public Provisioned {
    created = List.copyOf(created);
    schemaIds = Map.copyOf(schemaIds);
    differences = List.copyOf(differences);
  }

  /** Returns the differences with which Berth must not start. */
  public List<Difference> blocking() {
    return differences.stream().filter(Difference::blocking).toList();
  }
}
