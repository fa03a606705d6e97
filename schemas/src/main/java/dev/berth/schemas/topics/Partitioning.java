package dev.berth.schemas.topics;

/**
 * How the records of a topic are spread over its partitions, and which topics must have equally
 * many. Kafka Streams' Processor API does not check the latter: with unequal counts the state of
 * one volume or plugin would silently be split.
 */
public enum Partitioning {
  /** By volume, whatever else the key holds. Read or written together by {@code VolumeClaims}. */
  VOLUME("namespace/volume", 4, true),
  /** By plugin. Read together by {@code Lanes}. */
  LANE("plugin id", 12, true),
  /** By plugin. Nobody reads these together with others. */
  PLUGIN("plugin id", 12, false),
  /** By node. */
  NODE("node id", 12, false),
  /** Everything in one partition, because {@code Cluster} needs to see all of it in one place. */
  CLUSTER("one partition", 1, true),
  /** By the whole key. */
  KEY("the key", 4, false);

  private final String by;
  private final int defaultCount;
  private final boolean equal;

  Partitioning(String by, int defaultCount, boolean equal) {
    this.by = by;
    this.defaultCount = defaultCount;
    this.equal = equal;
  }

  /** Returns the part of the key that selects the partition, in words. */
  public String by() {
    return by;
  }

  /** Returns the number of partitions unless a deployment asks for another. */
  public int defaultCount() {
    return defaultCount;
  }

  /** Returns whether all topics of this kind must have the same number of partitions. */
  public boolean equal() {
    return equal;
  }
}
