/** The meters of calls. */
@NullMarked
package dev.berth.workers.metrics;

import org.jspecify.annotations.NullMarked;
