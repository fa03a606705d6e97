package dev.berth.workers.discovery;

import java.util.Map;
import java.util.Optional;

/** What a look at a plugin endpoint has found. */
sealed interface Finding {

  /**
   * The plugin is well.
   *
   * @param name what it calls itself (GetPluginInfo)
   * @param version its vendor version
   * @param abilities what its service can do
   */
  record Well(String name, String version, Abilities abilities) implements Finding {}

  /**
   * The plugin is not well.
   *
   * @param text what is wrong, for people
   */
  record Ill(String text) implements Finding {}

  /** What a service can do. */
  sealed interface Abilities {}

  /**
   * A controller service.
   *
   * @param attach advertises PUBLISH_UNPUBLISH_VOLUME
   * @param publishReadOnly advertises PUBLISH_READONLY
   * @param listPublished advertises LIST_VOLUMES and LIST_VOLUMES_PUBLISHED_NODES
   */
  record ControllerAbilities(boolean attach, boolean publishReadOnly, boolean listPublished)
      implements Abilities {}

  /**
   * A node service.
   *
   * @param stage advertises STAGE_UNSTAGE_VOLUME
   * @param externalNode the provider's name for the node
   * @param maxVolumes most volumes that the node takes (count); empty when unlimited
   * @param topology accessible topology segments
   */
  record NodeAbilities(
      boolean stage, String externalNode, Optional<Long> maxVolumes, Map<String, String> topology)
      implements Abilities {

    /** Copies the topology. */
    public NodeAbilities {
      topology = Map.copyOf(topology);
    }
  }
}
