/** Berth in processes of its own that are killed, stopped and restarted by a seed. */
@NullMarked
package dev.berth.ops.chaos;

import org.jspecify.annotations.NullMarked;
