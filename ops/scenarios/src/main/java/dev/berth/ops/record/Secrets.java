package dev.berth.ops.record;

import dev.berth.records.VolumeSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which references to secrets lead somewhere. Values are on no topic, so a file has none. */
final class Secrets {
  private static final String NO_VALUE = "a value that is not recorded";

  private final Set<String> known = new LinkedHashSet<>();
  private final Set<String> gone = new LinkedHashSet<>();

  /** What a file needs before the volume's first call. */
  List<Step> needed(VolumeSpec spec) {
    List<Step> steps = new ArrayList<>();
    for (String reference : spec.getSecrets().values()) {
      String name = StepTexts.secret(reference);
      if (known.add(name)) {
        steps.add(there(name));
      }
    }
    return steps;
  }

  /** References that led nowhere when a call needed them. */
  List<Step> missed(Collection<String> names) {
    List<Step> steps = new ArrayList<>();
    for (String name : names) {
      if (known.contains(name) && gone.add(name)) {
        steps.add(Step.of("secret").with("ref", name).with("gone", true));
      }
    }
    return steps;
  }

  /** References that lead somewhere again. */
  List<Step> found(Collection<String> references) {
    List<Step> steps = new ArrayList<>();
    for (String reference : references) {
      String name = StepTexts.secret(reference);
      if (gone.remove(name)) {
        steps.add(there(name));
      }
    }
    return steps;
  }

  private static Step there(String name) {
    return Step.of("secret").with("ref", name).with("value", NO_VALUE);
  }
}
