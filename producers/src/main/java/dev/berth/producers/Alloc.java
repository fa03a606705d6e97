package dev.berth.producers;

import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An alloc with the volumes that a statement about it concerns: all that it uses, as a rule.
 *
 * @param id alloc id, unique within the scheduler, no slash
 * @param volumes the volumes, each once, at least one
 * @param index number of the statement when the scheduler numbers itself ({@link
 *     IndexSource#CALLER}); empty otherwise
 */
public record Alloc(String id, List<VolumeUse> volumes, OptionalLong index) {

  /**
   * Checks ids and volumes.
   *
   * @throws InvalidEventException naming field, value and remedy
   */
  public Alloc {
    FieldRules.id("alloc", id);
    volumes = List.copyOf(volumes);
    if (volumes.isEmpty()) {
      throw new InvalidEventException(
          "volumes", "of alloc '" + id + "' are none", "allocs without volumes need no statements");
    }
    Set<String> seen = new HashSet<>();
    for (VolumeUse use : volumes) {
      if (!seen.add(use.namespace() + "/" + use.volume())) {
        throw new InvalidEventException(
            "volumes",
            "of alloc '" + id + "' hold " + use.namespace() + "/" + use.volume() + " twice",
            "one statement speaks for all blocks of an alloc on a volume; give it once");
      }
    }
  }

  /** An alloc whose statements the library numbers. */
  public static Alloc of(String id, VolumeUse... volumes) {
    return new Alloc(id, List.of(volumes), OptionalLong.empty());
  }

  /** The same with a number for the statement. */
  public Alloc at(long statementIndex) {
    return new Alloc(id, volumes, OptionalLong.of(statementIndex));
  }
}
