/** The time a call may take, by two clocks. */
@NullMarked
package dev.berth.workers.time;

import org.jspecify.annotations.NullMarked;
