package dev.berth.bench;

import dev.berth.bench.measure.Interleaving;
import dev.berth.bench.report.Section;

/** Something that can be measured. */
public interface Bench {
  /** Its name on the command line. */
  String name();

  /**
   * Measures.
   *
   * @param quick whether to show in a short time that it works, rather than to give figures
   * @param watch told what goes on
   * @throws Exception when it cannot be measured
   */
  Section run(boolean quick, Interleaving.Watch watch) throws Exception;
}
