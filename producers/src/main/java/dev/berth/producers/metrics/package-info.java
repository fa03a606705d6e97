/** The scheduler's side as meters of Micrometer, for processes that embed it and have that. */
@NullMarked
package dev.berth.producers.metrics;

import org.jspecify.annotations.NullMarked;
