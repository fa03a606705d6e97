package dev.berth.ops.demo;

import dev.berth.ops.demo.ClaimStory.ClaimId;
import dev.berth.records.ClaimDecision;
import dev.berth.records.Happening;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows, decision by decision, who holds the volumes that take one writer at a time, and notes
 * where two hold one. Decisions of a volume are to come in their order. For one thread.
 */
final class Holders {

  private final Set<ClaimId> writers;
  private final Map<String, String> holders = new HashMap<>();
  private final List<String> overlaps = new ArrayList<>();

  /**
   * @param writers claims that keep other writers out
   */
  Holders(Set<ClaimId> writers) {
    this.writers = writers;
  }

  void decided(ClaimDecision decision) {
    for (Happening happening : decision.getHappenings()) {
      happening.getAlloc().ifPresent(alloc -> happened(happening, alloc, decision.getVolume()));
    }
  }

  /** What was wrong, a line each. */
  List<String> overlaps() {
    return List.copyOf(overlaps);
  }

  private void happened(Happening happening, String alloc, String volume) {
    if (happening.getName().equals("taken") && writers.contains(new ClaimId(alloc, volume))) {
      @Nullable String holder = holders.put(volume, alloc);
      if (holder != null && !holder.equals(alloc)) {
        overlaps.add(
            "volume %s takes one writer and was given to %s while %s held it"
                .formatted(volume, alloc, holder));
      }
    } else if (happening.getName().equals("released")) {
      holders.remove(volume, alloc);
    }
  }
}
