package dev.berth.streams.policy;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A policy as somebody published it.
 *
 * @param name {@code default}, {@code plugin/<id>} or {@code volume/<namespace>/<volume>}
 * @param settings values by policy key, as texts
 * @param by who set it; may be empty
 * @param reason why; may be empty
 * @param at when it was written, by the writer's clock: for display only
 */
public record NamedPolicy(
    String name, Map<String, String> settings, String by, String reason, Instant at) {

  /** Keeps a sorted copy, so that problems are listed in the same order each time. */
  public NamedPolicy {
    settings = Collections.unmodifiableMap(new TreeMap<>(settings));
  }
}
