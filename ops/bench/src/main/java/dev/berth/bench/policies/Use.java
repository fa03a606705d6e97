package dev.berth.bench.policies;

/**
 * One alloc's use of one volume. Times are milliseconds from the beginning.
 *
 * @param id unique; also the alloc's id
 * @param volume volume
 * @param plugin its plugin
 * @param node where the alloc runs
 * @param exclusive whether only one alloc may have the volume at a time
 * @param claims when it is claimed
 * @param ends when its workload would end, if it has begun by then
 */
record Use(
    String id,
    String volume,
    String plugin,
    String node,
    boolean exclusive,
    long claims,
    long ends) {
  /** The same on another node. */
  Use on(String other) {
    return new Use(id, volume, plugin, other, exclusive, claims, ends);
  }
}
