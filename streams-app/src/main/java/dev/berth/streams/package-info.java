/** The Kafka Streams application that keeps the claim table and emits plugin work. */
@NullMarked
package dev.berth.streams;

import org.jspecify.annotations.NullMarked;
