/**
 * What keeps an instance that has lost its partitions from writing: Kafka Streams fences a
 * transaction by the offsets in it, and one without offsets not at all.
 */
@NullMarked
package dev.berth.streams.ownership;

import org.jspecify.annotations.NullMarked;
