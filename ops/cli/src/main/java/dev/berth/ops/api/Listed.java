package dev.berth.ops.api;

import dev.berth.proto.api.Freshness;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A whole list, all pages of it.
 *
 * @param entries sorted by key
 * @param missing what nobody answered for, and why; empty when the list is complete
 * @param standby a warm copy answered for some of it and can be behind
 * @param <E> an entry
 */
public record Listed<E>(List<E> entries, List<String> missing, boolean standby) {

  /** Keeps copies. */
  public Listed {
    entries = List.copyOf(entries);
    missing = List.copyOf(missing);
  }

  /** Pages on their way to become a list. */
  static final class Gathering<E> {
    private final List<E> entries = new ArrayList<>();
    private final TreeSet<String> missing = new TreeSet<>();
    private boolean standby;

    void add(List<E> page, Freshness freshness) {
      entries.addAll(page);
      missing.addAll(freshness.getMissingList());
      standby |= freshness.getStandby();
    }

    Listed<E> listed() {
      return new Listed<>(entries, List.copyOf(missing), standby);
    }
  }
}
