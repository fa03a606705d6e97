package dev.berth.producers.files;

/**
 * Names a volume.
 *
 * @param namespace its namespace
 * @param id its id there
 */
public record VolumeName(String namespace, String id) {

  /** {@code namespace/id}. */
  @Override
  public String toString() {
    return namespace + "/" + id;
  }
}
