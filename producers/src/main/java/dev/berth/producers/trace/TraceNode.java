package dev.berth.producers.trace;

/**
 * A node of a trace.
 *
 * @param id node id
 * @param cpuMilli CPU it offers (thousandths of a core)
 * @param memoryMib memory it offers (MiB)
 */
public record TraceNode(String id, long cpuMilli, long memoryMib) {}
