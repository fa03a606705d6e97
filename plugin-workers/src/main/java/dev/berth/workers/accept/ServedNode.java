package dev.berth.workers.accept;

import dev.berth.workers.config.EndpointConfig;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The one node whose work a worker takes.
 *
 * @param id the node (scheduler's id)
 * @param plugins plugins whose node services it serves; empty while some of them would have to be
 *     asked for their names
 */
public record ServedNode(String id, Optional<Set<String>> plugins) {

  /** Copies the plugins. */
  public ServedNode {
    plugins = plugins.map(Set::copyOf);
  }

  /**
   * What the configuration tells of a node.
   *
   * @param id the node (scheduler's id)
   * @param endpoints what is served there
   */
  public static ServedNode of(String id, Collection<EndpointConfig> endpoints) {
    boolean named = endpoints.stream().allMatch(each -> each.plugin().isPresent());
    return new ServedNode(
        id,
        named
            ? Optional.of(
                endpoints.stream()
                    .flatMap(each -> each.plugin().stream())
                    .collect(Collectors.toUnmodifiableSet()))
            : Optional.empty());
  }
}
