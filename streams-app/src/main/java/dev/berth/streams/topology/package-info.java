/** The edge to Kafka Streams: sources, processors around the pure cores, stores and sinks. */
@NullMarked
package dev.berth.streams.topology;

import org.jspecify.annotations.NullMarked;
