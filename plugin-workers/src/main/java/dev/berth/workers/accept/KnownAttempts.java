package dev.berth.workers.accept;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Attempts that this worker has accepted, the latest {@code most} of them. An attempt that is
 * dispatched again must not be called twice; while it is remembered here, it is not.
 *
 * <p>Confined to the thread of the accept loop.
 */
final class KnownAttempts {

  private final int most;
  private final Set<String> ids = new LinkedHashSet<>();

  KnownAttempts(int most) {
    this.most = most;
  }

  boolean contains(String attemptId) {
    return ids.contains(attemptId);
  }

  void add(String attemptId) {
    ids.add(attemptId);
    if (ids.size() > most) {
      ids.remove(ids.iterator().next());
    }
  }
}
