package dev.berth.ops.scenario;

import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What an expectation is about; a trace shows what concerns it.
 *
 * @param subjects subjects as {@link Subjects} writes them; empty for everything
 */
record About(Set<String> subjects) {
  static About everything() {
    return new About(Set.of());
  }

  /** Volumes, as namespace/volume; everything when there are none. */
  static About volumes(Collection<String> keys) {
    return new About(keys.stream().map(Subjects::volume).collect(Collectors.toUnmodifiableSet()));
  }

  static About volume(String key) {
    return volumes(Set.of(key));
  }

  static About plugin(String plugin) {
    return new About(Set.of(Subjects.plugin(plugin)));
  }

  /** Whether it is about nothing but a plugin. */
  boolean isPlugin() {
    return subjects.size() == 1 && subjects.iterator().next().startsWith(Subjects.plugin(""));
  }

  boolean concerns(Set<String> others) {
    return subjects.isEmpty() || !Collections.disjoint(subjects, others);
  }
}
