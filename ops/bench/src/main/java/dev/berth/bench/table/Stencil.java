package dev.berth.bench.table;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A value that is made anew for each volume, and then carries the volume's names where the sample
 * has its own. Names are equally long, so that nothing else of it changes.
 */
final class Stencil {
  private final Supplier<byte[]> make;
  private final List<Place> places = new ArrayList<>();

  private record Place(int at, Function<TableVolume, String> name) {}

  /**
   * Cuts one.
   *
   * @param make makes the value of the sample; each time the same bytes in an array of their own
   * @param names the sample's names; where two begin, the earlier one of these is meant
   */
  Stencil(Supplier<byte[]> make, List<SampleName> names) {
    this.make = make;
    // One character for each byte, so that places in one are places in the other.
    String text = new String(make.get(), StandardCharsets.ISO_8859_1);
    for (int at = 0; at < text.length(); at++) {
      for (SampleName name : names) {
        if (text.startsWith(name.text(), at)) {
          places.add(new Place(at, name.of()));
          at += name.text().length() - 1;
          break;
        }
      }
    }
  }

  /** The value of a volume. */
  byte[] of(TableVolume volume) {
    byte[] value = make.get();
    for (Place place : places) {
      String name = place.name().apply(volume);
      for (int i = 0; i < name.length(); i++) {
        value[place.at() + i] = (byte) name.charAt(i);
      }
    }
    return value;
  }
}
