package dev.berth.producers.trace;

import java.time.Duration;
import java.util.Optional;

/**
 * A pod of a trace.
 *
 * @param name its name, unique within the trace
 * @param cpuMilli CPU it asks for (thousandths of a core)
 * @param memoryMib memory it asks for (MiB)
 * @param qos class of service, as the trace writes it; may be empty
 * @param phase last phase, as the trace writes it: {@code Running}, {@code Succeeded}, {@code
 *     Failed}, {@code Pending}
 * @param scheduled when it was placed, from the beginning of the trace; empty when it never was
 * @param deleted when it was deleted, from the beginning of the trace; empty when the trace ends
 *     before that
 */
public record TracePod(
    String name,
    long cpuMilli,
    long memoryMib,
    String qos,
    String phase,
    Optional<Duration> scheduled,
    Optional<Duration> deleted) {}
