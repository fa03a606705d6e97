package dev.berth.schemas.topics;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Utils;

/**
 * The keys of the catalogue's topics, and the partition a key belongs to. Parts are joined by
 * slashes; ids of namespaces, volumes, allocs, nodes and plugins therefore hold none.
 */
public final class Keys {

  private Keys() {}

  /** Key of a volume: {@code namespace/volume}. */
  public static String volume(String namespace, String volume) {
    return namespace + "/" + volume;
  }

  /** Key of a claim or stuck claim: {@code namespace/volume/alloc}. */
  public static String claim(String namespace, String volume, String alloc) {
    return volume(namespace, volume) + "/" + alloc;
  }

  /** Key of an attachment: {@code namespace/volume/node}. */
  public static String attachment(String namespace, String volume, String node) {
    return volume(namespace, volume) + "/" + node;
  }

  /** Key of a plugin's attach slots on a node: {@code plugin/node}. */
  public static String slots(String plugin, String node) {
    return plugin + "/" + node;
  }

  /**
   * Returns the partition of a key among {@code count}: the one Kafka's Java producer chooses, so
   * that those who choose explicitly (by volume, for a key that holds more) agree with those who
   * leave it to the producer.
   */
  public static int partition(String key, int count) {
    return Utils.toPositive(Utils.murmur2(key.getBytes(StandardCharsets.UTF_8))) % count;
  }
}
