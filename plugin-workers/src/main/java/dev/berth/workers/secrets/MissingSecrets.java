package dev.berth.workers.secrets;

import dev.berth.workers.time.Moment;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * References that led nowhere when a call needed them, so that whoever waits for them can be told
 * when they lead somewhere (domain rule "Secrets": the secret that is back is the moment to go on).
 * Safe for use by many threads.
 */
public final class MissingSecrets {

  /** Beyond it nothing is noted: the retries of the calls go on all the same. */
  private static final int MOST = 10_000;

  /**
   * What no call has asked for in so long, nobody waits for: the volume is gone, say. Longer than
   * the longest wait between two tries of a call.
   */
  static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

  private final SecretSource source;

  /** By plugin, the references with when they were missed last. */
  private final Map<String, Map<SecretReference, Moment>> byPlugin = new ConcurrentHashMap<>();

  /** Of secrets that are kept there. */
  public MissingSecrets(SecretSource source) {
    this.source = source;
  }

  /** Notes what a call of a plugin could not find. */
  public void missed(String plugin, Collection<SecretReference> references, Moment now) {
    Map<SecretReference, Moment> missing =
        byPlugin.computeIfAbsent(plugin, id -> new ConcurrentHashMap<>());
    references.stream()
        .filter(reference -> missing.size() < MOST || missing.containsKey(reference))
        .forEach(reference -> missing.put(reference, now));
  }

  /**
   * Looks for what is missing, and notes no longer what is found, nor what no call has missed for
   * an hour.
   *
   * @return the references found, by plugin, each in order
   */
  public Map<String, List<String>> found(Moment now) {
    Map<String, List<String>> found = new TreeMap<>();
    byPlugin.forEach(
        (plugin, missing) -> {
          missing.values().removeIf(last -> now.since(last).compareTo(FORGOTTEN_AFTER) > 0);
          List<SecretReference> there =
              missing.keySet().stream()
                  .filter(reference -> source.find(reference) instanceof SecretSource.Lookup.Found)
                  .toList();
          if (!there.isEmpty()) {
            there.forEach(missing::remove);
            found.put(plugin, there.stream().map(SecretReference::text).sorted().toList());
          }
        });
    return found;
  }
}
