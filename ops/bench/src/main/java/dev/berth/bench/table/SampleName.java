package dev.berth.bench.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A name in the records of a sample, and what stands in its place in those of another volume.
 *
 * @param text the sample's
 * @param of another's, equally long
 */
record SampleName(String text, Function<TableVolume, String> of) {
  /** Attempts are numbered with so many digits. */
  private static final int DIGITS = 16;

  /**
   * The names of a sample.
   *
   * @param attempts ids of the attempts that were made for it: its plugin, and what ends in a
   *     number
   * @throws IllegalArgumentException when an id does not end in a number
   */
  static List<SampleName> of(TableVolume sample, List<String> attempts) {
    List<SampleName> names = new ArrayList<>();
    for (int i = 0; i < attempts.size(); i++) {
      String rest = attempts.get(i).substring(sample.plugin().length());
      String between = rest.substring(0, rest.length() - DIGITS);
      long unused = Long.parseLong(rest.substring(between.length()));
      int call = i;
      int calls = attempts.size();
      names.add(
          new SampleName(
              attempts.get(i),
              volume ->
                  volume.plugin()
                      + between
                      + TableVolume.padded((long) volume.number() * calls + call, DIGITS)));
    }
    names.add(new SampleName(sample.id(), TableVolume::id));
    names.add(new SampleName(sample.plugin(), TableVolume::plugin));
    return names;
  }
}
