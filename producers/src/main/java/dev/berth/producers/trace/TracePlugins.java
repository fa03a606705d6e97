package dev.berth.producers.trace;

import java.util.Set;

/**
 * The plugins whose volumes the allocs of a trace use.
 *
 * @param block plugin of volumes that attach to one node at a time
 * @param shareable plugin of volumes that attach to one node or to many
 * @param files plugin of volumes that are mounted without being attached
 * @param clientMounts those of them whose volumes the allocs' clients mount; node workers mount
 *     those of the others
 */
public record TracePlugins(String block, String shareable, String files, Set<String> clientMounts) {

  /** Copies the set. */
  public TracePlugins {
    clientMounts = Set.copyOf(clientMounts);
  }

  /** Those of the embedded stack. */
  public static TracePlugins usual() {
    return new TracePlugins("ebs", "gce", "nfs", Set.of("gce", "nfs"));
  }
}
