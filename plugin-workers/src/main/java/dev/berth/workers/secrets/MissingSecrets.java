package dev.berth.workers.secrets;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  private final SecretSource source;
  private final Map<String, Set<SecretReference>> byPlugin = new ConcurrentHashMap<>();

  /** Of secrets that are kept there. */
  public MissingSecrets(SecretSource source) {
    this.source = source;
  }

  /** Notes what a call of a plugin could not find. */
  public void missed(String plugin, Collection<SecretReference> references) {
    Set<SecretReference> missing =
        byPlugin.computeIfAbsent(plugin, id -> ConcurrentHashMap.newKeySet());
    references.stream().filter(reference -> missing.size() < MOST).forEach(missing::add);
  }

  /**
   * Looks for what is missing, and notes no longer what is found.
   *
   * @return the references found, by plugin, each in order
   */
  public Map<String, List<String>> found() {
    Map<String, List<String>> found = new TreeMap<>();
    byPlugin.forEach(
        (plugin, missing) -> {
          List<SecretReference> there =
              missing.stream()
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
