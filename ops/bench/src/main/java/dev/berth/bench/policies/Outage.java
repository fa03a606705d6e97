package dev.berth.bench.policies;

/**
 * A node is not heard for a while. Times are milliseconds from the beginning.
 *
 * @param node node
 * @param from when contact is lost
 * @param until when the node is back
 * @param dead whether its workloads end with it; they go on writing where it is only cut off
 */
record Outage(String node, long from, long until, boolean dead) {}
