/** The meters of the Streams application; see DESIGN.md. */
@NullMarked
package dev.berth.streams.metrics;

import org.jspecify.annotations.NullMarked;
